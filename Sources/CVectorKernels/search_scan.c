/// Few queries by byte codes: one after another over each stretch of rows, which the first one brings into the cache.
#include <stdlib.h>

#include "search.h"

int knot_search_scan(knot_search_state *state) {
    knot_court *court = &state->court;
    const knot_rows *rows = court->rows;
    const uint32_t queries = state->queries;
    const size_t padded = knot_round_up(rows->dimension, 64);
    if (queries > KNOT_FEW_QUERIES) return KNOT_BAD_REQUEST;

    int8_t *codes = aligned_alloc(64, padded * queries);
    if (!codes) return KNOT_OUT_OF_MEMORY;
    knot_scan_query ready[KNOT_FEW_QUERIES];
    float errors[KNOT_FEW_QUERIES];
    for (uint32_t q = 0; q < queries; q++) {
        int8_t *own = codes + padded * q;
        const knot_shortlist *list = &state->lists[q];
        if (!(list->norm > 0)) continue;
        const knot_coded coded = knot_encode_query(court->kernels, list->wide, list->norm, rows->dimension, own);
        // From |y| ≤ 1 + reach, see encode.c: a row's own reach counts 1 + error times.
        ready[q] = (knot_scan_query){own, padded / 64, -128 * coded.sum, coded.scale, 1 + coded.error};
        errors[q] = coded.error + KNOT_CODE_SLACK;
    }

    const int from_memory = (size_t)state->request->row_count * rows->code_stride > KNOT_NEAR_BYTES;
    uint32_t picks[KNOT_SCAN_ROWS];
    knot_scan_hit hits[KNOT_SCAN_ROWS];
    // Most of the rows are as quickly read as picked: then what is not allowed is left aside only when it would be found.
    const uint64_t *allowed = state->request->allowed;
    const int picked = allowed && !(from_memory && knot_allowed_rows(state->request) * 2 > state->request->row_count);
    for (uint32_t count, first; (count = knot_next_stretch(state, picked, picks, KNOT_SCAN_ROWS, &first)) > 0;) {
        const knot_scan_rows some = {
            rows->codes + (size_t)first * rows->code_stride, rows->code_stride, rows->scales + first,
            rows->reaches + first, picked ? picks : NULL, count, from_memory,
        };
        for (uint32_t q = 0; q < queries; q++) {
            knot_shortlist *list = &state->lists[q];
            if (!(list->norm > 0)) continue;
            const uint32_t found = court->kernels->byte_scan(&some, &ready[q], list->cut - errors[q], hits);
            for (uint32_t i = 0; i < found; i++) {
                const uint32_t row = picked ? picks[hits[i].row] : first + hits[i].row;
                if (allowed && !(allowed[row >> 6] >> (row & 63) & 1)) continue;
                const float reach = rows->reaches[row] * ready[q].reach + errors[q];
                knot_shortlist_offer(list, court, row, hits[i].score - reach, hits[i].score + reach);
            }
            if (list->count >= list->ripe) knot_shortlist_tighten(list, court);
        }
        court->scanned += (uint64_t)count * queries;
    }
    free(codes);
    return KNOT_OK;
}
