/// Guessing how well the best rows will score before most have been seen.
///
/// Every row that may still be among the best costs time, and as long as few rows have been seen, or are known by their
/// bounds only, many may be. But if `seen` of `all` rows were drawn by chance, each of the best `limit` of all rows is among
/// them with the chance s = seen / all, and r of these best are with a chance of at most C(limit, r) · sʳ. Where that is tiny,
/// the row of rank r among those seen almost certainly scores less than all of the best, and what scores less than it need
/// not be looked at.
///
/// Tables are often in groups of rows that are alike, and then the best of all may well lie together among those seen, the
/// likelier the more have been seen. So from a sixteenth of all on the guess is a rank beyond `limit`: as far as scores are
/// known, enough rows do reach it.
///
/// None of this is certain. A search that has dropped rows by a guess looks at the end whether its `limit` best score at
/// least as much as the guess: then no dropped row can be one of them. If they do not (rows in an unlucky order, or fewer
/// matches than wanted), the query is searched again without guessing. A failed guess costs time, never a match.
#ifndef KNOT_GUESS_H
#define KNOT_GUESS_H

#include "shortlist.h"

#pragma clang assume_nonnull begin

/// How often a guess may fail with rows in no order: a batch of 256 queries guesses some thousand times.
#define KNOT_GUESS_RISK 1e-6
/// From this share of all rows on, a rank beyond the limit is taken.
#define KNOT_GUESS_SHARE 16
/// Rows seen between guesses, as many times as at the last.
#define KNOT_GUESS_STEP 2

/// The rank to guess by. Two beyond the limit cover that scores are not known to the last bit.
static inline uint32_t knot_guess_rank(uint32_t limit, uint32_t seen, uint32_t all) {
    double chance = 1;
    for (uint32_t rank = 1; rank <= limit && seen < all / KNOT_GUESS_SHARE; rank++) {
        chance *= (double)seen / all * (limit - rank + 1) / rank;
        if (chance <= KNOT_GUESS_RISK) return rank;
    }
    return limit + 2;
}

/// Whether there is anything to gain: the last rows are looked at before a guess pays.
static inline int knot_is_worth_guessing(uint32_t seen, uint32_t all) { return seen <= all / 2; }

/// Raises the cut to the middle of this rank, if so many are kept.
static inline void knot_shortlist_guess(knot_shortlist *list, uint32_t rank) {
    if (!list->middles || rank > KNOT_ORDERED_LIMIT) return;
    const float guess = list->middles[rank - 1];
    if (guess > list->cut) list->cut = list->guess = guess;
}

/// Whether a dropped row may be one of the best after all. The list holds the best in order.
static inline int knot_is_doubtful(const knot_shortlist *list) {
    if (list->guess == -INFINITY) return 0;
    return list->count < list->limit || list->entries[list->limit - 1].upper < list->guess;
}

#pragma clang assume_nonnull end

#endif
