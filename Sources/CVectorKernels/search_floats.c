/// Few queries by floats: one row after another, as fast as the memory gives them.
///
/// The fast score and its bound are those of the tiles by floats, see search_tiles.c: a product in single precision with the
/// unit query, times one by the row's length. What it may be wrong by is so little that hardly more rows than are wanted get
/// a canonical score at the end.
#include <stdlib.h>

#include "search.h"

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

    uint32_t picks[64];
    for (uint32_t count; (count = knot_next_picks(state->request, &state->whole, picks, 64)) > 0;) {
        for (uint32_t i = 0; i < count; i++) {
            const double norm = rows->norms[picks[i]];
            if (!(norm > 0)) continue;
            if (!knot_is_ruly(norm)) {
                knot_offer_canonically(state, picks[i]);
                continue;
            }
            const float *row = rows->values + (size_t)picks[i] * rows->stride, scale = (float)(1 / norm);
            for (uint32_t q = 0; q < queries; q++) {
                knot_shortlist *list = &state->lists[q];
                if (!(list->norm > 0)) continue;
                const float score = court->kernels->float_product(row, units + q * padded, rows->dimension) * scale;
                knot_shortlist_offer(list, court, picks[i], score - error, score + error);
            }
        }
        court->scanned += (uint64_t)count * queries;
        for (uint32_t q = 0; q < queries; q++)
            if (state->lists[q].count >= state->lists[q].ripe) knot_shortlist_tighten(&state->lists[q], court);
    }
    free(units);
    return KNOT_OK;
}
