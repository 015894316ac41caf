/// Many queries: tiles of rows and queries, by byte codes or by floats.
///
/// Queries are packed in groups of a tile's lanes. A block of rows small enough for the second-level cache is read once and
/// all groups pass over it, while the next block is brought nearer. Each lane has a *bar*: the query's cut, less the most
/// that a fast score in this block may be wrong by. A tile says in a few instructions that no sum met its bar, which is
/// nearly always so; the few that did are offered to the shortlists with their own bounds.
///
/// The fast float score of a row x and a unit query u is their product, added up in single precision in some order, times
/// 1/|x|. Any order of n additions is within n·2⁻²⁴ of Σ|u_i·x_i| ≤ |u|·|x| (Higham, Accuracy and Stability of Numerical
/// Algorithms, 3.1), u's own rounding and the handful of steps after it add less than 14 more units, and lengths within
/// 2⁻⁶⁰…2⁶⁰ keep sums from overflowing and what underflows negligible. Rows outside are scored canonically at once.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "guess.h"
#include "tour.h"

typedef struct {
    uint32_t lanes, groups, block_rows;
    uint32_t seen, all;  ///< rows that all groups have passed over, and all of them
    size_t steps, row_bytes, row_stride, group_bytes;
    const char *base;  ///< where the rows' floats or codes begin
    char *packed;  ///< the groups one after another
    int32_t *starts;
    float *cuts;  ///< by lane: its shortlist's, infinity where there is none
    float *scales, *unscales, *errors;  ///< by lane: what its scores are multiplied by, one by that, what they may be wrong by
    char *gathered;  ///< room for a block of picked rows
} tiles;

static void pack_floats(const knot_search_state *state, tiles *t, uint32_t q) {
    float *packed = (float *)(t->packed + q / t->lanes * t->group_bytes) + q % t->lanes;
    const knot_shortlist *list = &state->lists[q];
    const double inverse = 1 / list->norm;
    for (size_t i = 0; i < t->steps; i++) packed[i * t->lanes] = (float)(list->wide[i] * inverse);
    t->scales[q] = t->unscales[q] = 1;
    t->errors[q] = knot_float_error(state->court.rows->dimension);
}

static void pack_codes(const knot_search_state *state, tiles *t, uint32_t q, int8_t *codes) {
    char *packed = t->packed + q / t->lanes * t->group_bytes + q % t->lanes * 4;
    const knot_coded coded = knot_encode_query(
        state->court.kernels, state->lists[q].wide, state->lists[q].norm, state->court.rows->dimension, codes);
    for (size_t i = 0; i < t->steps; i++) memcpy(packed + i * t->lanes * 4, codes + 4 * i, 4);
    t->starts[q] = -128 * coded.sum;
    t->scales[q] = coded.scale;
    t->unscales[q] = 1 / coded.scale;
    t->errors[q] = coded.error + KNOT_CODE_SLACK;
}

/// A stretch of rows ready for tiles.
typedef struct {
    uint32_t picks[KNOT_MAX_BLOCK_ROWS];
    float scales[KNOT_MAX_BLOCK_ROWS];
    uint32_t count;
    const char *rows;
    size_t stride;
    uint32_t upcoming;  ///< near it the next block begins
    const char *ahead;
    float reach;  ///< the longest of the block
} block;

/// The scales and longest reach of rows that follow one another; the next block's are asked for.
static void measure_codes_together(const knot_rows *rows, block *b) {
    const float *reaches = rows->reaches + b->picks[0], *scales = rows->scales + b->picks[0];
    knot_four_floats longest = {0};
    uint32_t i = 0;
    for (; i + 4 <= b->count; i += 4) longest = knot_larger(*(const knot_four_floats *)(reaches + i), longest);
    for (; i < b->count; i++) longest[0] = reaches[i] > longest[0] ? reaches[i] : longest[0];
    for (int j = 0; j < 4; j++) b->reach = longest[j] > b->reach ? longest[j] : b->reach;
    memcpy(b->scales, scales, b->count * sizeof(float));
    for (i = 0; i < b->count; i += 16) {
        __builtin_prefetch((const void *)((uintptr_t)(rows->reaches + b->upcoming) + i * sizeof(float)), 0, 2);
        __builtin_prefetch((const void *)((uintptr_t)(rows->scales + b->upcoming) + i * sizeof(float)), 0, 2);
    }
}

static int is_together(const block *b) { return b->picks[b->count - 1] - b->picks[0] == b->count - 1; }

static void measure(knot_search_state *state, block *b, int by_codes) {
    const knot_rows *rows = state->court.rows;
    b->reach = 0;
    if (by_codes && is_together(b)) {
        measure_codes_together(rows, b);
        return;
    }
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t row = b->picks[i];
        if (by_codes) {
            b->scales[i] = rows->scales[row];
            if (rows->reaches[row] > b->reach) b->reach = rows->reaches[row];
        } else {
            const double norm = rows->norms[row];
            b->scales[i] = knot_is_ruly(norm) ? (float)(1 / norm) : NAN;
            for (uint32_t q = 0; norm > 0 && !knot_is_ruly(norm) && q < state->queries; q++)
                knot_offer_canonically(state, q, row);
        }
    }
}

/// Rows in a row of memory are used where they lie; others, and an incomplete last tile, are copied together.
static void place(const knot_search_state *state, const tiles *t, block *b) {
    const uint32_t tile_rows = state->court.kernels->tile_rows;
    const uint32_t whole = (uint32_t)knot_round_up(b->count, tile_rows);
    b->rows = t->base + b->picks[0] * t->row_stride;
    b->stride = t->row_stride;
    b->ahead = t->base + b->upcoming * t->row_stride;
    if (!is_together(b) || whole != b->count) {
        for (uint32_t i = 0; i < whole; i++)
            memcpy(t->gathered + i * t->row_bytes, t->base + b->picks[i < b->count ? i : 0] * t->row_stride, t->row_bytes);
        b->rows = t->gathered;
        b->stride = t->row_bytes;
    }
    for (uint32_t i = b->count; i < whole; i++) b->scales[i] = NAN;
}

static void harvest(
    knot_search_state *state, const tiles *t, const block *b, uint32_t group, uint32_t first, const knot_tile_hits *hits) {
    const knot_rows *rows = state->court.rows;
    for (uint32_t met = hits->rows; met; met &= met - 1) {
        const uint32_t r = (uint32_t)__builtin_ctz(met), row = b->picks[first + r];
        const float own = t->starts ? rows->reaches[row] : 0;
        for (uint32_t mask = hits->masks[r]; mask; mask &= mask - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(mask), q = group * t->lanes + lane;
            const float score = hits->scores[r * t->lanes + lane] * t->scales[q];
            const float reach = own + t->errors[q] * (1 + own);
            knot_shortlist_offer(&state->lists[q], &state->court, row, score - reach, score + reach);
            t->cuts[q] = state->lists[q].cut;
        }
    }
}

static void keep_cuts(const knot_search_state *state, const tiles *t) {
    for (uint32_t q = 0; q < state->queries; q++) t->cuts[q] = state->lists[q].norm > 0 ? state->lists[q].cut : INFINITY;
}

/// Guesses for some queries after so many rows.
static void guess(const knot_search_state *state, const tiles *t, uint32_t first, uint32_t end, uint32_t seen) {
    if (!state->lists->middles) return;
    const uint32_t rank = knot_guess_rank(state->lists->limit, seen, t->all);
    for (uint32_t q = first; q < end && q < state->queries; q++) {
        knot_shortlist_guess(&state->lists[q], rank);
        if (state->lists[q].norm > 0) t->cuts[q] = state->lists[q].cut;
    }
}

/// Whether it pays to guess after so many tiles of the first block.
static int is_guess_due(const tiles *t, uint32_t seen, uint32_t tile_rows) {
    const uint32_t tiles_seen = seen / tile_rows;
    return t->seen == 0 && seen > 0 && (tiles_seen & (tiles_seen - 1)) == 0 && knot_is_worth_guessing(seen, t->all);
}

/// The least fast scores of interest in this block, by lane.
static void set_bars(const tiles *t, const block *b, uint32_t group, float *bars) {
    const size_t first = (size_t)group * t->lanes;
    const float *cuts = t->cuts + first, *unscales = t->unscales + first, *errors = t->errors + first;
    // The last term covers the rounding of this line.
    for (uint32_t lane = 0; lane < t->lanes; lane++)
        bars[lane] = (cuts[lane] - b->reach - errors[lane] * (1 + b->reach) - 1e-6f) * unscales[lane];
}

static void pass(knot_search_state *state, const tiles *t, const block *b) {
    const knot_kernels *kernels = state->court.kernels;
    const uint32_t queries = state->queries;
    // Among the first rows each tile raises the cuts; later they hardly move within a block.
    const int young = t->seen < KNOT_YOUNG_BLOCKS * t->block_rows;
    float bars[KNOT_MAX_TILE_LANES];
    knot_tile_hits hits;
    uint32_t ripe = 0;
    for (uint32_t g = 0; g < t->groups; g++) {
        const knot_tile_queries tile_queries = {
            t->packed + g * t->group_bytes, t->steps, t->starts ? t->starts + g * t->lanes : NULL, bars};
        for (uint32_t first = 0; first < b->count; first += kernels->tile_rows) {
            if (is_guess_due(t, first, kernels->tile_rows)) guess(state, t, g * t->lanes, (g + 1) * t->lanes, first);
            if (first == 0 || young) set_bars(t, b, g, bars);
            const char *rows = b->rows + first * b->stride;
            // The next tile's rows, or the next group's queries; and the last group brings the next block, which takes the
            // place of rows that nobody needs any more.
            const int last = first + kernels->tile_rows >= b->count;
            const char *near = !last ? rows + kernels->tile_rows * b->stride
                : g + 1 < t->groups ? t->packed + (g + 1) * t->group_bytes
                                    : b->ahead;
            const char *ahead = g + 1 == t->groups ? b->ahead + first * t->row_stride : rows;
            const knot_tile_rows tile_rows = {rows, b->stride, b->scales + first, near, ahead};
            const int met = t->starts ? kernels->byte_tile(&tile_rows, &tile_queries, &hits)
                                      : kernels->float_tile(&tile_rows, &tile_queries, &hits);
            if (met) harvest(state, t, b, g, first, &hits);
        }
        for (uint32_t q = g * t->lanes; q < queries && q < (g + 1) * t->lanes; q++) {
            if (state->lists[q].count < state->lists[q].ripe) continue;
            knot_shortlist_tighten(&state->lists[q], &state->court);
            ripe++;
        }
    }
    if (ripe) keep_cuts(state, t);
    state->court.scanned += (uint64_t)b->count * queries;
}

static int search_some(knot_search_state *state, int by_codes) {
    const knot_rows *rows = state->court.rows;
    const knot_kernels *kernels = state->court.kernels;
    const uint32_t queries = state->queries;
    tiles t = {.lanes = kernels->tile_lanes, .block_rows = kernels->tile_rows * KNOT_BLOCK_TILES};
    t.groups = (queries + t.lanes - 1) / t.lanes;
    t.steps = by_codes ? knot_round_up(rows->dimension, 64) / 4 : rows->dimension;
    t.row_bytes = by_codes ? t.steps * 4 : t.steps * sizeof(float);
    t.row_stride = by_codes ? rows->code_stride : rows->stride * sizeof(float);
    t.base = by_codes ? (const char *)rows->codes : (const char *)rows->values;
    t.group_bytes = t.steps * t.lanes * 4;

    const size_t packed = t.groups * t.group_bytes, lanes = (size_t)t.groups * t.lanes * 4;
    const size_t gathered = knot_round_up(t.block_rows * t.row_bytes, 64);
    char *memory = aligned_alloc(64, knot_round_up(packed + 5 * lanes + gathered + t.steps * 4, 64));
    if (!memory) return KNOT_OUT_OF_MEMORY;
    t.packed = memory;
    t.gathered = memory + packed;
    t.cuts = (float *)(t.gathered + gathered);
    t.scales = t.cuts + lanes / 4;
    t.unscales = t.scales + lanes / 4;
    t.errors = t.unscales + lanes / 4;
    int32_t *starts = (int32_t *)(t.errors + lanes / 4);
    int8_t *codes = (int8_t *)(starts + lanes / 4);
    t.starts = by_codes ? starts : NULL;
    memset(t.packed, 0, packed);
    memset(t.scales, 0, 4 * lanes);
    for (uint32_t lane = 0; lane < t.groups * t.lanes; lane++) {
        t.cuts[lane] = INFINITY;
        t.unscales[lane] = 1;
    }
    for (uint32_t q = 0; q < queries; q++) {
        if (state->may_guess) {
            state->lists[q].middles = state->lists[q].bounds;
            state->lists[q].bounds = NULL;
        }
        if (!(state->lists[q].norm > 0)) continue;
        if (by_codes) pack_codes(state, &t, q, codes);
        else pack_floats(state, &t, q);
    }

    keep_cuts(state, &t);

    knot_tour tour = knot_tour_begin(state->request, t.block_rows);
    t.all = tour.allowed;
    block b;
    uint32_t due = 0;
    while ((b.count = knot_tour_next(&tour, b.picks, t.block_rows)) > 0) {
        b.upcoming = knot_tour_upcoming(&tour);
        measure(state, &b, by_codes);
        place(state, &t, &b);
        pass(state, &t, &b);
        t.seen += b.count;
        if (t.seen < due || !knot_is_worth_guessing(t.seen, t.all)) continue;
        guess(state, &t, 0, queries, t.seen);
        due = t.seen * KNOT_GUESS_STEP;
    }
    free(memory);
    return KNOT_OK;
}

int knot_search_tiles(knot_search_state *state, int by_codes) {
    knot_search_state some = *state;
    int status = KNOT_OK;
    for (uint32_t first = 0; first < state->queries && status == KNOT_OK; first += KNOT_AT_ONCE) {
        some.lists = state->lists + first;
        some.queries = state->queries - first < KNOT_AT_ONCE ? state->queries - first : KNOT_AT_ONCE;
        status = search_some(&some, by_codes);
    }
    state->court = some.court;
    return status;
}
