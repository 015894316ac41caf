/// Every pair gets its canonical score: nothing to bound, nothing to score again.
#include "search.h"

int knot_search_canonical(knot_search_state *state) {
    knot_court *court = &state->court;
    const knot_rows *rows = court->rows;
    const uint32_t queries = state->queries;
    uint32_t picks[64];
    for (;;) {
        const uint32_t count = knot_next_picks(state->request, &state->whole, picks, 64);
        if (count == 0) break;
        uint32_t usable = 0;
        for (uint32_t i = 0; i < count; i++) {
            picks[usable] = picks[i];
            usable += rows->norms[picks[i]] > 0;
        }
        for (uint32_t first = 0; first < usable; first += 4) {
            const uint32_t some = usable - first < 4 ? usable - first : 4;
            const float *four[4], *next[4];
            for (uint32_t i = 0; i < 4; i++) {
                four[i] = rows->values + (size_t)picks[first + (i < some ? i : 0)] * rows->stride;
                // Four rows ahead; past the picks, those that most likely follow.
                next[i] = first + 4 + i < usable ? rows->values + (size_t)picks[first + 4 + i] * rows->stride
                                                 : four[i] + 4 * rows->stride;
            }
            for (uint32_t q = 0; q < queries; q++) {
                knot_shortlist *list = &state->lists[q];
                if (!(list->norm > 0)) continue;
                double products[4];
                court->kernels->dots(four, next, list->wide, rows->dimension, products);
                for (uint32_t i = 0; i < some; i++) {
                    const float score = knot_cosine(products[i], list->norm, rows->norms[picks[first + i]]);
                    knot_shortlist_offer(list, court, picks[first + i], score, score);
                }
            }
        }
        court->rescored += (uint64_t)usable * queries;
        for (uint32_t q = 0; q < queries; q++)
            if (state->lists[q].count >= state->lists[q].ripe) knot_shortlist_tighten(&state->lists[q], court);
    }
    return KNOT_OK;
}

void knot_offer_canonically(knot_search_state *state, uint32_t query, uint32_t row) {
    const knot_rows *rows = state->court.rows;
    const float *values = rows->values + (size_t)row * rows->stride;
    const float *const four[4] = {values, values, values, values};
    knot_shortlist *list = &state->lists[query];
    if (!(list->norm > 0)) return;
    double products[4];
    state->court.kernels->dots(four, four, list->wide, rows->dimension, products);
    const float score = knot_cosine(products[0], list->norm, rows->norms[row]);
    knot_shortlist_offer(list, &state->court, row, score, score);
    state->court.rescored++;
}
