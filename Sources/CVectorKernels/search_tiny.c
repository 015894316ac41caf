/// A person's hints: some forty rows, a query or two, and thousands of such searches one after another.
///
/// Rows come from memory once and mostly cold. They are read in the order of memory, each with two queries at a time and
/// canonically at once: the arithmetic hides behind the memory, and no second pass is left that would not. No memory is asked
/// for, and ranking is done by counting, without branches.
#include <math.h>

#include "search.h"

typedef struct {
    double wide[KNOT_TINY_DIMENSION];
    float scores[KNOT_TINY_ROWS];  ///< NaN beyond the rows: ahead of nothing, behind nothing
    double norm;
} tiny_query;

/// How many of the scores are ahead of one of them. Equal scores are ranked by row number, in which they come.
static uint32_t rank_of(const float *scores, uint32_t padded, uint32_t at) {
    uint32_t ahead = 0, level = 0;
    for (uint32_t j = 0; j < padded; j++) {
        ahead += scores[j] > scores[at];
        level += scores[j] == scores[at];
    }
    if (level > 1)
        for (uint32_t j = 0; j < at; j++) ahead += scores[j] == scores[at];
    return ahead;
}

static uint32_t best_of(
    const tiny_query *query, const uint32_t *picks, uint32_t count, const knot_request *request, knot_match *matches) {
    const uint32_t padded = (uint32_t)knot_round_up(count, 16);
    uint32_t found = 0;
    if (!(query->norm > 0)) return 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t rank = rank_of(query->scores, padded, i);
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
        count += rows->norms[picks[i]] > 0;
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
            // Two rows on; behind the last lies, in bulk work, what the next search reads.
            const float *row = rows->values + (size_t)picks[i] * rows->stride;
            double sums[2];
            kernels->pair(row, row + 2 * rows->stride, queries[0].wide, queries[some - 1].wide, rows->dimension, sums);
            for (uint32_t j = 0; j < some; j++)
                queries[j].scores[i] = knot_cosine(sums[j], queries[j].norm, rows->norms[picks[i]]);
        }
        for (uint32_t j = 0; j < some; j++)
            found[q + j] = best_of(&queries[j], picks, count, request, matches + (size_t)(q + j) * request->limit);
    }
    if (effort) *effort = (knot_effort){.rescored = (uint64_t)count * request->query_count};
    return KNOT_OK;
}
