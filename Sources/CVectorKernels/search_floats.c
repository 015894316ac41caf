/// Few queries by floats: some rows after others, as fast as the memory gives them.
///
/// The fast score and its bound are those of the tiles by floats, see search_tiles.c: a product in single precision with the
/// unit query, times one by the row's length. What it may be wrong by is so little that hardly more rows than are wanted get
/// a canonical score at the end.
///
/// Next to nothing is done with a row that is not found: its product is compared with what its length asks for. A division
/// is made only for those that may enter.
#include <stdlib.h>

#include "search.h"

/// Covers what products may differ from scores by, rounded three times, and bars from cuts: each less than 2⁻²² of at most 1.
#define KNOT_BAR_SLACK 0x1p-20f

static void offer(knot_search_state *state, uint32_t q, uint32_t row, float product, double norm) {
    if (!(norm > 0)) return;
    if (!knot_is_ruly(norm)) {
        knot_offer_canonically(state, q, row);
        return;
    }
    const float score = product * (float)(1 / norm), error = knot_float_error(state->court.rows->dimension);
    knot_shortlist_offer(&state->lists[q], &state->court, row, score - error, score + error);
}

int knot_search_floats(knot_search_state *state) {
    knot_court *court = &state->court;
    const knot_rows *rows = court->rows;
    const uint32_t queries = state->queries;
    const size_t padded = knot_round_up(rows->dimension, 16);
    if (queries > KNOT_FEW_QUERIES) return KNOT_BAD_REQUEST;

    float *units = aligned_alloc(64, padded * queries * sizeof(float));
    if (!units) return KNOT_OUT_OF_MEMORY;
    for (uint32_t q = 0; q < queries; q++) {
        const knot_shortlist *list = &state->lists[q];
        const double inverse = list->norm > 0 ? 1 / list->norm : 0;
        for (size_t i = 0; i < rows->dimension; i++) units[q * padded + i] = (float)(list->wide[i] * inverse);
    }
    const float error = knot_float_error(rows->dimension);
    const int picked = state->request->allowed != NULL;
    // Several queries share rows that have come to the first-level cache.
    const uint32_t at_once = queries > 1 ? KNOT_FEW_QUERIES : KNOT_FLOAT_ROWS;

    uint32_t picks[KNOT_FLOAT_ROWS], first;
    float products[KNOT_FLOAT_ROWS];
    double bars[KNOT_FEW_QUERIES];
    for (uint32_t q = 0; q < queries; q++) bars[q] = -INFINITY;
    for (uint32_t count; (count = knot_next_stretch(state, picked, picks, at_once, &first)) > 0;) {
        for (uint32_t q = 0; q < queries; q++) {
            knot_shortlist *list = &state->lists[q];
            if (!(list->norm > 0)) continue;
            court->kernels->float_scan(
                rows->values + (size_t)first * rows->stride, rows->stride, picked ? picks : NULL, count, units + q * padded,
                rows->dimension, products);
            for (uint32_t i = 0; i < count; i++) {
                const uint32_t row = picked ? picks[i] : first + i;
                const double norm = rows->norms[row];
                // NaN is neither below nor above.
                if (products[i] < bars[q] * norm && knot_is_ruly(norm)) continue;
                offer(state, q, row, products[i], norm);
                bars[q] = list->cut - error - KNOT_BAR_SLACK;
            }
            if (list->count >= list->ripe) knot_shortlist_tighten(list, court);
            bars[q] = list->cut - error - KNOT_BAR_SLACK;
        }
        court->scanned += (uint64_t)count * queries;
    }
    free(units);
    return KNOT_OK;
}
