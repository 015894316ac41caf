/// A search: the best rows for each query, exactly.
///
/// Five ways lead through the rows, and all give the same matches, bit by bit:
///   - canonical (search_canonical.c): every pair gets its canonical score. For few rows and for the scalar kernels.
///   - a scan by floats (search_floats.c): few queries without codes; memory is the limit.
///   - a scan by byte codes (search_scan.c): few queries, a quarter of the memory.
///   - the same by codes of half a byte first (search_nibbles.c): one query, an eighth of the memory.
///   - tiles (search_tiles.c): many queries, by byte codes or by floats.
/// All but the first only suspect: a fast score with a bound on its error decides which rows go to a shortlist (shortlist.h),
/// and the shortlist's survivors get canonical scores.
#include "guess.h"
#include "search.h"

#include <math.h>
#include <stdlib.h>

double knot_length(const knot_kernels *kernels, const float *row, size_t dimension, double *wide) {
    return knot_length_of_squares(kernels->widen(row, dimension, wide));
}

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
    const int by_nibbles = by_codes && rows->nibbles && kernels->nibble_scan && state->queries <= KNOT_NIBBLE_QUERIES;
    if (by_nibbles && knot_allowed_rows(request) >= rows->nibble_floor) return knot_search_nibbles(state);
    return by_codes ? knot_search_scan(state) : knot_search_floats(state);
}

/// Where the answer goes.
typedef struct {
    knot_match *matches;
    uint32_t *found;
    knot_suspect *suspects;  ///< NULL for a search that returns matches
    knot_effort effort;
    uint32_t doubtful;  ///< queries with a guess that failed
} answer;

/// Copies what the lists hold, without the entries that their cuts rule out.
static void hand_over(knot_shortlist *lists, knot_court *court, uint32_t queries, const answer *out) {
    for (uint32_t q = 0; q < queries; q++) {
        knot_shortlist_tighten(&lists[q], court);
        memcpy(out->suspects + (size_t)q * lists[q].capacity, lists[q].entries, lists[q].count * sizeof *out->suspects);
        out->found[q] = lists[q].count;
    }
}

/// A search with shortlists. `limit` is at most the rows' count.
static int search_listed(
    const knot_kernels *kernels, const knot_rows *rows, const knot_request *request, uint32_t limit, int may_guess, answer *out) {
    const uint32_t queries = request->query_count;
    const size_t capacity = knot_shortlist_capacity(limit, request->row_count);
    const size_t wide = knot_round_up(rows->dimension, KNOT_CANONICAL_LANES);
    // One allocation: lists and ordered bounds by cache lines, queries in doubles, entries, room for lower bounds.
    const size_t ordered = limit <= KNOT_ORDERED_LIMIT ? KNOT_ORDERED_LIMIT : 0;
    const size_t each =
        wide * sizeof(double) + sizeof(knot_shortlist) + capacity * sizeof(knot_entry) + ordered * sizeof(float);
    size_t bytes;
    if (__builtin_mul_overflow(queries, each, &bytes) ||
        __builtin_add_overflow(bytes, capacity * sizeof(float) + 63, &bytes))
        return KNOT_OUT_OF_MEMORY;
    char *memory = aligned_alloc(64, bytes / 64 * 64);
    if (!memory) return KNOT_OUT_OF_MEMORY;
    knot_shortlist *lists = (knot_shortlist *)memory;
    float *bounds = (float *)(lists + queries);
    double *wides = (double *)(bounds + queries * ordered);
    knot_entry *entries = (knot_entry *)(wides + queries * wide);
    float *lowers = (float *)(entries + queries * capacity);
    for (uint32_t q = 0; q < queries; q++) {
        const float *query = request->queries + q * request->query_stride;
        lists[q] = (knot_shortlist){
            .entries = entries + q * capacity,
            .wide = wides + q * wide,
            .norm = knot_length(kernels, query, rows->dimension, wides + q * wide),
            .capacity = (uint32_t)capacity,
            .limit = limit,
            .ripe = ordered ? UINT32_MAX : limit,
            .bounds = ordered ? bounds + q * ordered : NULL,
            .guess = -INFINITY,
        };
        for (size_t i = 0; i < ordered; i++) bounds[q * ordered + i] = -INFINITY;
        // A void query accepts nothing.
        lists[q].cut = lists[q].norm > 0 ? request->threshold : INFINITY;
    }
    knot_search_state state = {
        .court = {.kernels = kernels, .rows = rows, .lowers = lowers},
        .request = request,
        .lists = lists,
        .queries = queries,
        .may_guess = may_guess,
        .whole = {request->first_row, request->first_row + request->row_count},
    };
    const int status = search(&state);
    if (status == KNOT_OK && out->suspects) hand_over(lists, &state.court, queries, out);
    else if (status == KNOT_OK)
        out->doubtful = knot_shortlists_finish(lists, &state.court, request, out->matches, out->found);
    out->effort.scanned += state.court.scanned;
    out->effort.rescored += state.court.rescored;
    free(memory);
    return status;
}

/// The queries whose guesses failed, without guessing.
static int search_doubtful(
    const knot_kernels *kernels, const knot_rows *rows, const knot_request *request, uint32_t limit, answer *out) {
    const size_t dimension = rows->dimension, most = request->limit, count = out->doubtful;
    size_t bytes;
    if (__builtin_mul_overflow(count, dimension * sizeof(float) + most * sizeof(knot_match) + sizeof(uint32_t), &bytes))
        return KNOT_OUT_OF_MEMORY;
    float *queries = malloc(bytes);
    if (!queries) return KNOT_OUT_OF_MEMORY;
    knot_match *matches = (knot_match *)(queries + count * dimension);
    answer again = {.matches = matches, .found = (uint32_t *)(matches + count * most), .effort = out->effort};
    size_t next = 0;
    for (uint32_t q = 0; q < request->query_count; q++) {
        if (out->found[q] != KNOT_DOUBTFUL) continue;
        memcpy(queries + next++ * dimension, request->queries + q * request->query_stride, dimension * sizeof(float));
    }
    knot_request theirs = *request;
    theirs.queries = queries;
    theirs.query_stride = dimension;
    theirs.query_count = out->doubtful;
    const int status = search_listed(kernels, rows, &theirs, limit, 0, &again);
    out->effort = again.effort;
    next = 0;
    for (uint32_t q = 0; q < request->query_count && status == KNOT_OK; q++) {
        if (out->found[q] != KNOT_DOUBTFUL) continue;
        out->found[q] = again.found[next];
        memcpy(out->matches + q * most, matches + next++ * most, out->found[q] * sizeof *matches);
    }
    free(queries);
    return status;
}

static int is_senseless(const knot_rows *rows, const knot_request *request) {
    return isnan(request->threshold) || request->first_row > rows->count ||
        request->row_count > rows->count - request->first_row || rows->dimension > KNOT_MAX_DIMENSION ||
        (rows->codes && (!rows->scales || !rows->reaches)) ||
        (rows->nibbles && (!rows->codes || !rows->nibble_scales || !rows->nibble_reaches));
}

size_t knot_suspect_room(uint32_t limit, uint32_t rows) {
    return knot_shortlist_capacity(limit < rows ? limit : rows, rows);
}

int knot_search_suspects(
    const knot_kernels *kernels, const knot_rows *rows, const knot_request *request, knot_suspect *suspects, uint32_t *found) {
    if (is_senseless(rows, request) || !rows->norms) return KNOT_BAD_REQUEST;
    const uint32_t limit = request->limit < request->row_count ? request->limit : request->row_count;
    for (uint32_t q = 0; q < request->query_count; q++) found[q] = 0;
    if (limit == 0 || request->query_count == 0 || rows->dimension == 0) return KNOT_OK;
    answer out = {.found = found, .suspects = suspects};
    return search_listed(kernels, rows, request, limit, 0, &out);
}

int knot_search(
    const knot_kernels *kernels, const knot_rows *rows, const knot_request *request, knot_match *matches,
    uint32_t *found, knot_effort *effort) {
    if (is_senseless(rows, request)) return KNOT_BAD_REQUEST;
    const uint32_t queries = request->query_count;
    const uint32_t limit = request->limit < request->row_count ? request->limit : request->row_count;
    if (effort) *effort = (knot_effort){0};
    for (uint32_t q = 0; q < queries; q++) found[q] = 0;
    if (limit == 0 || queries == 0 || rows->dimension == 0) return KNOT_OK;
    if (request->row_count <= KNOT_TINY_ROWS && rows->dimension <= KNOT_TINY_DIMENSION)
        return knot_search_tiny(kernels, rows, request, matches, found, effort);
    if (!rows->norms) return search_measuring(kernels, rows, request, matches, found, effort);

    answer out = {.matches = matches, .found = found};
    int status = search_listed(kernels, rows, request, limit, 1, &out);
    if (status == KNOT_OK && out.doubtful > 0) status = search_doubtful(kernels, rows, request, limit, &out);
    if (effort) *effort = out.effort;
    return status;
}
