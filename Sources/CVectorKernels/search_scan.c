/// Few queries by byte codes: one after another over each stretch of rows, which the first one brings into the cache.
#include <stdlib.h>

#include "search.h"

int knot_search_scan(knot_search_state *state) {
    knot_court *court = &state->court;
    const knot_rows *rows = court->rows;
    const uint32_t queries = state->queries;
    const size_t padded = knot_round_up(rows->dimension, 64);
    if (queries > KNOT_FEW_QUERIES || padded > KNOT_MAX_CODED_DIMENSION) return KNOT_BAD_REQUEST;

    int8_t *planes = aligned_alloc(64, 2 * padded * queries);
    if (!planes) return KNOT_OUT_OF_MEMORY;
    const int from_memory = (size_t)state->request->row_count * rows->code_stride > KNOT_NEAR_BYTES;
    knot_scan_query ready[KNOT_FEW_QUERIES];
    float errors[KNOT_FEW_QUERIES];
    for (uint32_t q = 0; q < queries; q++) {
        int8_t *high = planes + 2 * padded * q, *low = high + padded;
        const double *wide = state->lists[q].wide;
        const double norm = state->lists[q].norm;
        if (!(norm > 0)) continue;
        const knot_coded coded = from_memory
            ? knot_encode_query(court->kernels, wide, norm, rows->dimension, high)
            : knot_encode_query_fine(court->kernels, wide, norm, rows->dimension, high, low);
        // From |y| ≤ 1 + reach, see encode.c: a row's own reach counts 1 + error times.
        const int32_t start = (int32_t)(-128 * (uint32_t)coded.sum);
        ready[q] = (knot_scan_query){high, from_memory ? NULL : low, padded / 64, start, coded.scale, 1 + coded.error};
        errors[q] = coded.error + KNOT_CODE_SLACK;
    }

    uint32_t picks[KNOT_SCAN_ROWS];
    knot_scan_hit hits[KNOT_SCAN_ROWS];
    for (uint32_t count, first; (count = knot_next_rows(state->request, &state->whole, picks, KNOT_SCAN_ROWS, &first)) > 0;) {
        const int picked = state->request->allowed != NULL;
        if (picked) first = 0;
        const knot_scan_rows some = {
            rows->codes + (size_t)first * rows->code_stride, rows->code_stride, rows->scales + first,
            rows->reaches + first, picked ? picks : NULL, count,
        };
        for (uint32_t q = 0; q < queries; q++) {
            knot_shortlist *list = &state->lists[q];
            if (!(list->norm > 0)) continue;
            const uint32_t found = court->kernels->byte_scan(&some, &ready[q], list->cut - errors[q], hits);
            for (uint32_t i = 0; i < found; i++) {
                const uint32_t row = picked ? picks[hits[i].row] : first + hits[i].row;
                const float reach = rows->reaches[row] * ready[q].reach + errors[q];
                knot_shortlist_offer(list, court, row, hits[i].score - reach, hits[i].score + reach);
            }
            if (list->count >= list->ripe) knot_shortlist_tighten(list, court);
        }
        court->scanned += (uint64_t)count * queries;
    }
    free(planes);
    return KNOT_OK;
}
