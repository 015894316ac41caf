/// A search: the best rows for each query, exactly.
///
/// Three ways lead through the rows, and all give the same matches, bit by bit:
///   - canonical (search_canonical.c): every pair gets its canonical score. For few rows, for few queries without codes
///     (memory is the limit then, and the doubles hide behind it), and for the scalar kernels.
///   - a scan by byte codes (search_scan.c): few queries, a quarter of the memory.
///   - tiles (search_tiles.c): many queries, by byte codes or by floats.
/// The last two only suspect: a fast score with a bound on its error decides which rows go to a shortlist (shortlist.h),
/// and the shortlist's survivors get canonical scores.
#include "search.h"

#include <math.h>
#include <stdlib.h>

double knot_length(const knot_kernels *kernels, const float *row, size_t dimension, double *wide) {
    return knot_length_of_squares(kernels->widen(row, dimension, wide));
}

double knot_length_of_squares(double squares) { return isfinite(squares) ? sqrt(squares) : 0; }

/// A search of rows of unknown length: the lengths are worked out first.
static int search_measuring(
    const knot_kernels *kernels, const knot_rows *rows, const knot_request *request, knot_match *matches,
    uint32_t *found, knot_effort *effort) {
    double *norms = calloc(rows->count, sizeof *norms);
    if (!norms) return KNOT_OUT_OF_MEMORY;
    const size_t first = request->first_row;
    knot_norms(kernels, rows->values + first * rows->stride, rows->stride, request->row_count, rows->dimension, norms + first);
    knot_rows measured = *rows;
    measured.norms = norms;
    const int status = knot_search(kernels, &measured, request, matches, found, effort);
    free(norms);
    return status;
}

static int search(knot_search_state *state) {
    const knot_rows *rows = state->court.rows;
    const knot_kernels *kernels = state->court.kernels;
    const knot_request *request = state->request;
    const uint32_t limit = state->lists->limit;
    if (kernels->tile_rows == 0 || request->row_count <= KNOT_TINY_ROWS || request->row_count / 8 < limit)
        return knot_search_canonical(state);
    const int by_codes = rows->codes && kernels->byte_scan;
    if (state->queries >= KNOT_FEW_QUERIES) return knot_search_tiles(state, by_codes);
    return by_codes ? knot_search_scan(state) : knot_search_canonical(state);
}

int knot_search(
    const knot_kernels *kernels, const knot_rows *rows, const knot_request *request, knot_match *matches,
    uint32_t *found, knot_effort *effort) {
    if (isnan(request->threshold) || request->first_row > rows->count ||
        request->row_count > rows->count - request->first_row || rows->dimension > KNOT_MAX_DIMENSION ||
        (rows->codes && (!rows->scales || !rows->reaches)))
        return KNOT_BAD_REQUEST;
    const uint32_t queries = request->query_count;
    const uint32_t limit = request->limit < request->row_count ? request->limit : request->row_count;
    if (effort) *effort = (knot_effort){0};
    for (uint32_t q = 0; q < queries; q++) found[q] = 0;
    if (limit == 0 || queries == 0 || rows->dimension == 0) return KNOT_OK;
    if (request->row_count <= KNOT_TINY_ROWS && rows->dimension <= KNOT_TINY_DIMENSION)
        return knot_search_tiny(kernels, rows, request, matches, found, effort);
    if (!rows->norms) return search_measuring(kernels, rows, request, matches, found, effort);

    const size_t capacity = knot_shortlist_capacity(limit, request->row_count);
    const size_t wide = knot_round_up(rows->dimension, KNOT_CANONICAL_LANES);
    // One allocation: queries in doubles, lists, entries, lower bounds; the strictest alignment first.
    const size_t ordered = limit <= KNOT_ORDERED_LIMIT ? KNOT_ORDERED_LIMIT + 1 : 0;
    const size_t each =
        wide * sizeof(double) + sizeof(knot_shortlist) + capacity * sizeof(knot_entry) + ordered * sizeof(float);
    size_t bytes;
    if (__builtin_mul_overflow(queries, each, &bytes) ||
        __builtin_add_overflow(bytes, capacity * sizeof(float), &bytes))
        return KNOT_OUT_OF_MEMORY;
    char *memory = malloc(bytes);
    if (!memory) return KNOT_OUT_OF_MEMORY;
    double *wides = (double *)memory;
    knot_shortlist *lists = (knot_shortlist *)(wides + queries * wide);
    knot_entry *entries = (knot_entry *)(lists + queries);
    float *lowers = (float *)(entries + queries * capacity), *bounds = lowers + capacity;
    for (uint32_t q = 0; q < queries; q++) {
        const float *query = request->queries + q * request->query_stride;
        lists[q] = (knot_shortlist){
            .entries = entries + q * capacity,
            .wide = wides + q * wide,
            .norm = knot_length(kernels, query, rows->dimension, wides + q * wide),
            .capacity = (uint32_t)capacity,
            .limit = limit,
            .ripe = ordered ? UINT32_MAX : limit,
            .bounds = ordered ? bounds + q * ordered + 1 : NULL,
        };
        for (size_t i = 0; i < ordered; i++) bounds[q * ordered + i] = i == 0 ? INFINITY : -INFINITY;
        // A void query accepts nothing.
        lists[q].cut = lists[q].norm > 0 ? request->threshold : INFINITY;
    }
    knot_search_state state = {
        .court = {.kernels = kernels, .rows = rows, .lowers = lowers},
        .request = request,
        .lists = lists,
        .queries = queries,
        .whole = {request->first_row, request->first_row + request->row_count},
    };
    const int status = search(&state);
    for (uint32_t q = 0; q < queries && status == KNOT_OK; q++)
        found[q] = knot_shortlist_finish(&lists[q], &state.court, request->threshold, matches + (size_t)q * request->limit);
    if (effort) *effort = (knot_effort){.scanned = state.court.scanned, .rescored = state.court.rescored};
    free(memory);
    return status;
}
