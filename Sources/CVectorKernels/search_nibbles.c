/// One query, or very few, over many rows: by four-bit codes first, and by byte codes where those leave a doubt.
///
/// Four bits tell a score well, but prove little: most of their bound is never needed. So a row whose very score reaches the
/// cut is looked at in bytes at once, which brings the cut close to the best scores seen; one that only might reach it waits,
/// and most of those that wait are ruled out by the cut of later rows. The others are looked at in bytes at the end. What
/// bytes do not rule out goes to the shortlist with its bounds, as in search_scan.c.
#include <stdlib.h>

#include "nibbles.h"
#include "search.h"

/// Rows of the first stretch: before anything is known all of them are looked at in bytes. And how many may wait.
enum { first_stretch = 64, most_waiting = 1 << 13, few_likely = 16 };

typedef struct {
    uint32_t row;
    float upper;
} waiting_row;

typedef struct {
    knot_scan_query bytes, nibbles;
    float byte_error, nibble_error;
    uint32_t count;  ///< rows that wait
    waiting_row *waiting;
    uint32_t likely_count;  ///< rows of the last stretch that wait for their byte codes to come
    uint32_t likely[few_likely];
} asked;

static void prepare(const knot_search_state *state, uint32_t q, int8_t *codes, asked *query) {
    const knot_shortlist *list = &state->lists[q];
    const uint32_t dimension = state->court.rows->dimension;
    const knot_coded coded = knot_encode_query(state->court.kernels, list->wide, list->norm, dimension, codes);
    const size_t padded = knot_round_up(dimension, 64), whole = knot_round_up(dimension, KNOT_NIBBLE_DIMENSIONS);
    for (size_t i = padded; i < whole; i++) codes[i] = 0;
    const float most = 1 + coded.error;
    query->bytes = (knot_scan_query){codes, padded / 64, -128 * coded.sum, coded.scale, most};
    query->nibbles = (knot_scan_query){
        codes, whole / KNOT_NIBBLE_DIMENSIONS, -128 * coded.sum, coded.scale, most * most + KNOT_NIBBLE_ROOT_SLACK};
    query->byte_error = coded.error + KNOT_CODE_SLACK;
    query->nibble_error = coded.error + KNOT_NIBBLE_SLACK;
    query->count = query->likely_count = 0;
}

/// Looks at rows by their byte codes.
static void look(knot_search_state *state, uint32_t q, const asked *query, const uint32_t *picks, uint32_t count, int from_memory) {
    const knot_rows *rows = state->court.rows;
    knot_shortlist *list = &state->lists[q];
    if (count == 0) return;
    knot_scan_hit hits[KNOT_SCAN_ROWS];
    const knot_scan_rows some = {rows->codes, rows->code_stride, rows->scales, rows->reaches, picks, count, from_memory};
    const uint32_t found = state->court.kernels->byte_scan(&some, &query->bytes, list->cut - query->byte_error, hits);
    for (uint32_t i = 0; i < found; i++) {
        const uint32_t row = picks[hits[i].row];
        const float reach = rows->reaches[row] * query->bytes.reach + query->byte_error;
        knot_shortlist_offer(list, &state->court, row, hits[i].score - reach, hits[i].score + reach);
    }
    if (list->count >= list->ripe) knot_shortlist_tighten(list, &state->court);
}

/// Brings what a look at a row needs nearer.
static void ask_for(const knot_rows *rows, uint32_t row) {
    const uint8_t *codes = rows->codes + (size_t)row * rows->code_stride;
    for (size_t i = 0; i < rows->code_stride; i += 64) __builtin_prefetch(codes + i, 0, 2);
    __builtin_prefetch(rows->scales + row, 0, 2);
    __builtin_prefetch(rows->reaches + row, 0, 2);
}

/// Drops waiting rows that the cut has ruled out, and returns how many are left.
static uint32_t drop_some(const knot_shortlist *list, asked *query) {
    const float bar = list->cut - query->nibble_error;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < query->count; i++) {
        query->waiting[kept] = query->waiting[i];
        kept += query->waiting[i].upper >= bar;
    }
    return query->count = kept;
}

/// Looks at all rows that wait.
static void look_at_waiting(knot_search_state *state, uint32_t q, asked *query, int from_memory) {
    const knot_rows *rows = state->court.rows;
    uint32_t picks[KNOT_SCAN_ROWS], count = 0;
    for (uint32_t i = 0; i < query->count; i++) {
        if (from_memory && i + KNOT_SCAN_ROWS < query->count) {
            // What the next picks need that a scan does not ask for itself.
            const uint32_t later = query->waiting[i + KNOT_SCAN_ROWS].row;
            __builtin_prefetch(rows->scales + later, 0, 3);
            __builtin_prefetch(rows->reaches + later, 0, 3);
        }
        picks[count++] = query->waiting[i].row;
        if (count < KNOT_SCAN_ROWS && i + 1 < query->count) continue;
        look(state, q, query, picks, count, from_memory);
        count = 0;
    }
    query->count = 0;
}

/// Raises the cut as far as it goes without further rows and drops what it rules out; returns how many rows still wait.
static uint32_t tighten(knot_search_state *state, uint32_t q, asked *query) {
    knot_shortlist_raise(&state->lists[q], &state->court);
    return drop_some(&state->lists[q], query);
}

/// Makes room for a stretch of rows.
static void make_room(knot_search_state *state, uint32_t q, asked *query, int from_memory) {
    if (tighten(state, q, query) > most_waiting / 4 * 3) look_at_waiting(state, q, query, from_memory);
}

/// A stretch of rows and what is known of all of them.
typedef struct {
    knot_scan_rows rows;
    uint32_t first;
    const uint64_t *_Nullable allowed;
    int far_codes;  ///< whether the byte codes are unlikely to be in a cache
} nibble_stretch;

static void scan(knot_search_state *state, uint32_t q, asked *query, const nibble_stretch *stretch) {
    const knot_shortlist *list = &state->lists[q];
    const uint32_t *picks = stretch->rows.picks;
    const uint64_t *allowed = stretch->allowed;
    const int far_codes = stretch->far_codes;
    knot_nibble_hit hits[KNOT_SCAN_ROWS];
    uint32_t likely[KNOT_SCAN_ROWS], at_once = 0;
    const float bar = list->cut - query->nibble_error;
    const uint32_t found = state->court.kernels->nibble_scan(&stretch->rows, &query->nibbles, bar, hits);
    if (query->count + found > most_waiting) make_room(state, q, query, far_codes);
    const float cut = list->cut;
    for (uint32_t i = 0; i < found; i++) {
        const uint32_t row = picks ? picks[hits[i].row] : stretch->first + hits[i].row;
        if (allowed && !(allowed[row >> 6] >> (row & 63) & 1)) continue;
        if (hits[i].score >= cut) likely[at_once++] = row;
        else query->waiting[query->count++] = (waiting_row){row, hits[i].upper};
    }
    // Few rows are asked for now and looked at after the next stretch; many raise the cut by more than their waiting saves.
    look(state, q, query, query->likely, query->likely_count, 0);
    query->likely_count = 0;
    if (at_once > few_likely || !far_codes) {
        look(state, q, query, likely, at_once, far_codes);
        return;
    }
    for (uint32_t i = 0; i < at_once; i++) ask_for(state->court.rows, query->likely[query->likely_count++] = likely[i]);
}

/// What is left after all rows have been scanned.
static void end(knot_search_state *state, uint32_t q, asked *query, int far_codes) {
    look(state, q, query, query->likely, query->likely_count, 0);
    tighten(state, q, query);
    look_at_waiting(state, q, query, far_codes);
}

int knot_search_nibbles(knot_search_state *state) {
    const knot_rows *rows = state->court.rows;
    const knot_request *request = state->request;
    const uint32_t queries = state->queries;
    const size_t whole = knot_round_up(rows->dimension, KNOT_NIBBLE_DIMENSIONS), waiting = most_waiting * sizeof(waiting_row);
    if (queries > KNOT_NIBBLE_QUERIES) return KNOT_BAD_REQUEST;
    char *memory = aligned_alloc(64, (whole + waiting) * queries);
    if (!memory) return KNOT_OUT_OF_MEMORY;
    asked all[KNOT_NIBBLE_QUERIES];
    for (uint32_t q = 0; q < queries; q++) {
        all[q].waiting = (waiting_row *)(memory + waiting * q);
        if (state->lists[q].norm > 0) prepare(state, q, (int8_t *)(memory + waiting * queries + whole * q), &all[q]);
    }
    nibble_stretch stretch = {.allowed = request->allowed};
    stretch.rows.from_memory = (size_t)request->row_count * rows->nibble_stride > KNOT_NEAR_BYTES;
    stretch.far_codes = (size_t)request->row_count * rows->code_stride > KNOT_NEAR_BYTES;
    // As in search_scan.c: most of the rows are as quickly read as picked.
    const int picked = request->allowed && !(stretch.rows.from_memory && knot_allowed_rows(request) * 2 > request->row_count);
    uint32_t picks[KNOT_SCAN_ROWS], length = first_stretch;
    for (uint32_t count; (count = knot_next_stretch(state, picked, picks, length, &stretch.first)) > 0;) {
        stretch.rows = (knot_scan_rows){
            rows->nibbles + (size_t)stretch.first * rows->nibble_stride, rows->nibble_stride,
            rows->nibble_scales + stretch.first, rows->nibble_reaches + stretch.first, picked ? picks : NULL, count,
            stretch.rows.from_memory,
        };
        for (uint32_t q = 0; q < queries; q++)
            if (state->lists[q].norm > 0) scan(state, q, &all[q], &stretch);
        state->court.scanned += (uint64_t)count * queries;
        if (length < KNOT_SCAN_ROWS) length *= 2;
    }
    for (uint32_t q = 0; q < queries; q++)
        if (state->lists[q].norm > 0) end(state, q, &all[q], stretch.far_codes);
    free(memory);
    return KNOT_OK;
}
