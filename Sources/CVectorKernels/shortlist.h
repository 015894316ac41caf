/// The rows that may still be among a query's best.
///
/// Every entry has bounds around its row's canonical score. The `limit`-th largest lower bound is the *cut*: at least that
/// many rows score as much, so a row whose upper bound is below it cannot be among the best, and nothing else is ever
/// dropped. Equal scores at the cut stay until canonical scores and row numbers decide. A list that stays full (many equal
/// rows) is *settled*: its entries get their canonical scores and all but the best `limit` go, so memory is bounded.
///
/// For usual limits the largest lower bounds are kept in order, so the cut is always as high as it can be; for large ones
/// it is found by selection whenever enough entries have come in.
#ifndef KNOT_SHORTLIST_H
#define KNOT_SHORTLIST_H

#include <string.h>

#include "kernels.h"

#pragma clang assume_nonnull begin

typedef struct {
    float upper;
    float lower;  ///< equal to `upper` when the score is canonical
    uint32_t row;
} knot_entry;

typedef struct {
    knot_entry *entries;
    const double *wide;  ///< the query in doubles
    double norm;  ///< of the query; 0: void
    uint32_t count;
    uint32_t capacity;
    uint32_t limit;
    uint32_t ripe;  ///< when there are this many, selecting the cut anew is worth its while; never with `bounds`
    float cut;
    float *_Nullable bounds;  ///< the largest lower bounds, largest first, and as much room again; NULL for large limits
} knot_shortlist;

/// What canonical scores are worked out from.
typedef struct {
    const knot_kernels *kernels;
    const knot_rows *rows;
    float *lowers;  ///< room for the lower bounds of one list
    uint64_t scanned;
    uint64_t rescored;
} knot_court;

/// Larger limits do without ordered bounds.
#define KNOT_ORDERED_LIMIT 16

/// Entries a list has room for.
static inline size_t knot_shortlist_capacity(uint32_t limit) { return 4 * (size_t)limit + 216; }

/// Selects the cut anew where it is not kept up to date, and drops what is below it.
void knot_shortlist_tighten(knot_shortlist *list, knot_court *court);
/// Makes room for at least one more entry.
void knot_shortlist_make_room(knot_shortlist *list, knot_court *court);
/// Writes the best matches, best first, and returns how many there are.
uint32_t knot_shortlist_finish(knot_shortlist *list, knot_court *court, float threshold, knot_match *matches);

static inline void knot_shortlist_offer(knot_shortlist *list, knot_court *court, uint32_t row, float lower, float upper) {
    if (!(upper >= list->cut)) return;
    if (list->count == list->capacity) {
        knot_shortlist_make_room(list, court);
        if (!(upper >= list->cut)) return;
    }
    list->entries[list->count++] = (knot_entry){upper, lower, row};
    if (!list->bounds || !(lower > list->bounds[list->limit - 1])) return;
    // Without a branch: where the bound belongs is how many are no less, and all behind move up by one.
    uint32_t before = 0;
    for (uint32_t i = 0; i < KNOT_ORDERED_LIMIT; i++) before += list->bounds[i] >= lower;
    memmove(list->bounds + before + 1, list->bounds + before, KNOT_ORDERED_LIMIT * sizeof(float));
    list->bounds[before] = lower;
    if (list->bounds[list->limit - 1] > list->cut) list->cut = list->bounds[list->limit - 1];
}

#pragma clang assume_nonnull end

#endif
