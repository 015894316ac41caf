/// A person's hints: some forty rows, a query or two, and thousands of such searches one after another.
///
/// Rows come from memory once and mostly cold. They are read in the order of memory, each with two queries at a time and
/// canonically at once: the arithmetic hides behind the memory, and no second pass is left that would not. Lengths that nobody
/// knows, and the queries in doubles, are worked out in the same reading. What would not hide is kept small: no memory is
/// asked for, queries stand at cache lines, and ranking is done by counting, without branches.
#include <math.h>

#include "search.h"

typedef struct {
    _Alignas(64) double wide[KNOT_TINY_DIMENSION];
    float scores[KNOT_TINY_ROWS];  ///< NaN beyond the rows: greater than nothing
    double norm;
} tiny_query;

/// A row's place is how many scores are greater and how many equal ones have come before it. Which rows are among the best is
/// what no CPU foresees, so that nothing is skipped: rows without a place go to one behind all others.
static uint32_t best_of(
    const knot_kernels *kernels, const tiny_query *query, const uint32_t *picks, uint32_t count, const knot_request *request, knot_match *matches) {
    int32_t ranks[KNOT_TINY_ROWS];
    uint8_t order[2 * KNOT_TINY_ROWS], equal[KNOT_TINY_ROWS + 1] = {0};
    uint32_t usable = 0;
    kernels->rank(query->scores, count, ranks);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t counts = query->scores[i] >= request->threshold;
        const uint32_t rank = counts ? (uint32_t)ranks[i] : KNOT_TINY_ROWS;
        order[rank + equal[rank]++] = (uint8_t)i;
        usable += counts;
    }
    const uint32_t found = usable < request->limit ? usable : request->limit;
    for (uint32_t i = 0; i < found; i++) matches[i] = (knot_match){picks[order[i]], query->scores[order[i]]};
    return found;
}

/// The scores of all rows with one or two queries. `later` are `later_bytes` that in bulk work the next search has as queries:
/// some of them are asked for beside each row.
static void score(
    const knot_kernels *kernels, const knot_rows *rows, const uint32_t *picks, uint32_t count, knot_pairing *pairing,
    tiny_query *queries, uint32_t some, uintptr_t later, size_t later_bytes) {
    size_t asked = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (; asked < later_bytes * (i + 1) / count; asked += 64) __builtin_prefetch((const void *)(later + asked), 0, 2);
        pairing->row = rows->values + (size_t)picks[i] * rows->stride;
        // Behind the last row lies, in bulk work, what the next search reads.
        pairing->ahead = (const char *)((uintptr_t)pairing->row + KNOT_TINY_AHEAD);
        kernels->pair(pairing, i == 0, !rows->norms);
        for (uint32_t j = 0; i == 0 && j < some; j++) queries[j].norm = knot_length_of_squares(pairing->squares[j]);
        const double norm = rows->norms ? rows->norms[picks[i]] : knot_length_of_squares(pairing->own);
        // A void row keeps its NaNs.
        if (!(norm > 0)) continue;
        for (uint32_t j = 0; j < some; j++) queries[j].scores[i] = knot_cosine(pairing->sums[j], queries[j].norm, norm);
    }
}

int knot_search_tiny(
    const knot_kernels *kernels, const knot_rows *rows, const knot_request *request, knot_match *matches,
    uint32_t *found, knot_effort *effort) {
    uint32_t picks[KNOT_TINY_ROWS], count = 0;
    knot_stream stream = {request->first_row, request->first_row + request->row_count};
    const uint32_t allowed = knot_next_picks(request, &stream, picks, KNOT_TINY_ROWS);
    for (uint32_t i = 0; i < allowed; i++) {
        picks[count] = picks[i];
        count += !rows->norms || rows->norms[picks[i]] > 0;
    }
    tiny_query queries[2];
    for (uint32_t q = 0; count > 0 && q < request->query_count; q += 2) {
        const uint32_t some = request->query_count - q < 2 ? 1 : 2;
        const float *first = request->queries + q * request->query_stride;
        const float *second = first + (some - 1) * request->query_stride;
        // One query alone is worked out twice, in the same place.
        knot_pairing pairing = {
            .queries = {first, second}, .wide = {queries[0].wide, queries[some - 1].wide}, .dimension = rows->dimension};
        for (uint32_t j = 0; j < some; j++)
            for (uint32_t i = 0; i < KNOT_TINY_ROWS; i++) queries[j].scores[i] = NAN;
        score(
            kernels, rows, picks, count, &pairing, queries, some, (uintptr_t)(first + some * request->query_stride),
            some * rows->dimension * sizeof(float));
        for (uint32_t j = 0; j < some; j++) {
            if (!(queries[j].norm > 0)) continue;
            found[q + j] = best_of(
                kernels, &queries[j], picks, count, request, matches + (size_t)(q + j) * request->limit);
        }
    }
    if (effort) *effort = (knot_effort){.rescored = (uint64_t)count * request->query_count};
    return KNOT_OK;
}
