/// A person's hints: some forty rows, a query or two, and thousands of such searches one after another.
///
/// Rows come from memory once and mostly cold. They are read in the order of memory, each with two queries at a time and
/// canonically at once: the arithmetic hides behind the memory, and no second pass is left that would not. Lengths that nobody
/// knows are worked out in the same reading. No memory is asked for, and ranking is done by counting, without branches.
#include <math.h>

#include "search.h"

typedef struct {
    double wide[KNOT_TINY_DIMENSION];
    float scores[KNOT_TINY_ROWS];  ///< NaN beyond the rows: ahead of nothing, behind nothing
    double norm;
} tiny_query;

static uint32_t best_of(
    const knot_kernels *kernels, const tiny_query *query, const uint32_t *picks, uint32_t count, const knot_request *request, knot_match *matches) {
    int32_t ranks[KNOT_TINY_ROWS];
    uint32_t found = 0;
    if (!(query->norm > 0)) return 0;
    kernels->rank(query->scores, count, ranks);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t rank = (uint32_t)ranks[i];
        if (rank >= request->limit || !(query->scores[i] >= request->threshold)) continue;
        matches[rank] = (knot_match){picks[i], query->scores[i]};
        found++;
    }
    return found;
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
    for (uint32_t q = 0; q < request->query_count; q += 2) {
        const uint32_t some = request->query_count - q < 2 ? 1 : 2;
        for (uint32_t j = 0; j < some; j++) {
            const float *values = request->queries + (q + j) * request->query_stride;
            queries[j].norm = knot_length(kernels, values, rows->dimension, queries[j].wide);
            for (uint32_t i = 0; i < KNOT_TINY_ROWS; i++) queries[j].scores[i] = NAN;
        }
        for (uint32_t i = 0; i < count; i++) {
            // A few rows on; behind the last lies, in bulk work, what the next search reads.
            const float *row = rows->values + (size_t)picks[i] * rows->stride;
            double sums[3], norm;
            // Half-way, the queries that in bulk work the next search has.
            if (i >= count / 2 && i - count / 2 < some) {
                const uintptr_t query = (uintptr_t)(request->queries + (q + i - count / 2) * request->query_stride) +
                    some * request->query_stride * sizeof(float);
                for (size_t b = 0; b < rows->dimension * sizeof(float); b += 64)
                    __builtin_prefetch((const char *)(query + b), 0, 2);
            }
            const float *next = (const float *)((uintptr_t)row + KNOT_TINY_AHEAD * rows->stride * sizeof(float));
            if (rows->norms) {
                kernels->pair(row, next, queries[0].wide, queries[some - 1].wide, rows->dimension, sums);
                norm = rows->norms[picks[i]];
            } else {
                kernels->triple(row, next, queries[0].wide, queries[some - 1].wide, rows->dimension, sums);
                norm = knot_length_of_squares(sums[2]);
                // A void row keeps its NaNs.
                if (!(norm > 0)) continue;
            }
            for (uint32_t j = 0; j < some; j++) queries[j].scores[i] = knot_cosine(sums[j], queries[j].norm, norm);
        }
        for (uint32_t j = 0; j < some; j++)
            found[q + j] = best_of(kernels, &queries[j], picks, count, request, matches + (size_t)(q + j) * request->limit);
    }
    if (effort) *effort = (knot_effort){.rescored = (uint64_t)count * request->query_count};
    return KNOT_OK;
}
