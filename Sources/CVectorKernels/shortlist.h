/// The rows that may still be among a query's best.
///
/// Every entry has bounds around its row's canonical score. The `limit`-th largest lower bound is the *cut*: at least that
/// many rows score as much, so a row whose upper bound is below it cannot be among the best, and nothing else is ever
/// dropped. Equal scores at the cut stay until canonical scores and row numbers decide. A list that stays full (many equal
/// rows) is *settled*: its entries get their canonical scores and all but the best `limit` go, so memory is bounded.
///
/// For usual limits the largest lower bounds are kept in order, so the cut is always as high as it can be; for large ones
/// it is found by selection whenever enough entries have come in. A list that may guess keeps the largest middles between
/// bounds instead, and its cut may be too high: guess.h.
#ifndef KNOT_SHORTLIST_H
#define KNOT_SHORTLIST_H

#include <math.h>
#include <string.h>

#include "kernels.h"

#pragma clang assume_nonnull begin

typedef knot_suspect knot_entry;

/// One cache line, so that an offer touches no more of them than it must.
typedef struct __attribute__((aligned(64))) {
    knot_entry *entries;
    float *_Nullable bounds;  ///< the largest lower bounds, largest first, in a cache line of their own; NULL for large limits
    float *_Nullable middles;  ///< instead, the largest middles, where cuts may be guessed
    uint32_t count;
    uint32_t capacity;
    uint32_t limit;
    float cut;
    const double *wide;  ///< the query in doubles
    double norm;  ///< of the query; 0: void
    uint32_t pending;  ///< entries at the front that are to be judged next
    uint32_t promising;  ///< entries at the front to begin with when the best are picked
    uint32_t ripe;  ///< when there are this many, selecting the cut anew is worth its while; never with values in order
    float guess;  ///< rows were dropped that may score less than this; -infinity if none was dropped by a guess
} knot_shortlist;

/// What canonical scores are worked out from.
typedef struct {
    const knot_kernels *kernels;
    const knot_rows *rows;
    float *lowers;  ///< room for the lower bounds of one list
    uint64_t scanned;
    uint64_t rescored;
} knot_court;

/// Found by a list whose guess failed.
#define KNOT_DOUBTFUL UINT32_MAX

/// Larger limits do without ordered bounds.
#define KNOT_ORDERED_LIMIT 16

/// Entries a list has room for: some times the limit, but never more than there are rows, each of which enters once.
static inline uint32_t knot_shortlist_capacity(uint32_t limit, uint32_t rows) {
    const uint64_t ample = 4 * (uint64_t)limit + 216;
    return ample < rows ? (uint32_t)ample : rows;
}
/// When a list with so many entries has enough new ones.
static inline uint32_t knot_shortlist_ripe(uint32_t count, uint32_t limit) {
    return count < UINT32_MAX - limit ? count + limit : UINT32_MAX;
}

/// Selects the cut anew where it is not kept up to date, and drops what is below it.
void knot_shortlist_tighten(knot_shortlist *list, knot_court *court);
/// Raises the cut to what canonical scores of the most promising entries, as many as the limit, allow.
void knot_shortlist_raise(knot_shortlist *list, knot_court *court);
/// Makes room for at least one more entry.
void knot_shortlist_make_room(knot_shortlist *list, knot_court *court);
/// Writes the best matches of each list, best first, and how many there are, KNOT_DOUBTFUL where a guess failed. Returns how
/// many did.
uint32_t knot_shortlists_finish(
    knot_shortlist *lists, knot_court *court, const knot_request *request, knot_match *matches, uint32_t *found);

typedef float knot_four_floats __attribute__((vector_size(16), aligned(4)));
typedef int32_t knot_four_flags __attribute__((vector_size(16), aligned(4)));

static inline knot_four_floats knot_smaller(knot_four_floats a, knot_four_floats b) {
    const knot_four_flags is_a = a < b;
    return (knot_four_floats)((is_a & (knot_four_flags)a) | (~is_a & (knot_four_flags)b));
}

static inline knot_four_floats knot_larger(knot_four_floats a, knot_four_floats b) {
    const knot_four_flags is_a = a > b;
    return (knot_four_floats)((is_a & (knot_four_flags)a) | (~is_a & (knot_four_flags)b));
}

/// Takes a value in among ordered ones.
static inline void knot_keep_ordered(float *values, float value) {
    // Without a branch: each place keeps its value, or takes the new one, or the one before it where the new one went in.
    const knot_four_floats new_one = {value, value, value, value};
    knot_four_floats *ordered = (knot_four_floats *)values;
    knot_four_floats above = {INFINITY, INFINITY, INFINITY, INFINITY};
#pragma clang loop unroll(full)
    for (int v = 0; v < KNOT_ORDERED_LIMIT / 4; v++) {
        const knot_four_floats own = ordered[v], before = __builtin_shufflevector(above, own, 3, 4, 5, 6);
        ordered[v] = knot_larger(own, knot_smaller(before, new_one));
        above = own;
    }
}

static inline void knot_shortlist_offer(knot_shortlist *list, knot_court *court, uint32_t row, float lower, float upper) {
    if (list->count == list->capacity) knot_shortlist_make_room(list, court);
    // Written in any case, kept if it is not ruled out: which of them are is hard to foresee.
    list->entries[list->count] = (knot_entry){upper, lower, row};
    list->count += upper >= list->cut;
    if (list->middles) {
        knot_keep_ordered(list->middles, (lower + upper) / 2);
    } else if (list->bounds && lower > list->bounds[list->limit - 1]) {
        knot_keep_ordered(list->bounds, lower);
        if (list->bounds[list->limit - 1] > list->cut) list->cut = list->bounds[list->limit - 1];
    }
}

#pragma clang assume_nonnull end

#endif
