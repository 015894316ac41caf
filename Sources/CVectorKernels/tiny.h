/// A few rows with two queries, ranked: included by each variant's file after canonical.h, which sets the target.
///
/// The rows are read in the order of memory, which is how they come fastest, and all else is made to hide behind that. The
/// first row brings the queries into doubles on the way, a row of unknown length is multiplied with itself, and a row takes
/// its place among the best without a branch, while the next one is on its way.

/// Places among the best, in order: scores, and which of the rows have them.
typedef float knot_place_scores __attribute__((vector_size(4 * KNOT_PLACES)));
typedef int32_t knot_place_rows __attribute__((vector_size(4 * KNOT_PLACES)));

typedef struct {
    knot_place_scores scores[KNOT_TINY_ROWS / KNOT_PLACES];
    knot_place_rows rows[KNOT_TINY_ROWS / KNOT_PLACES];
} knot_places;

/// A whole register of floats, and its halves: a line of memory comes faster when it is asked for once.
typedef float knot_whole __attribute__((vector_size(8 * KNOT_DOUBLES), aligned(4)));
typedef float knot_half __attribute__((vector_size(4 * KNOT_DOUBLES)));

/// What a row's products are added up in, lane by lane.
typedef struct {
    knot_wide products[2][KNOT_ACCUMULATORS];
    knot_wide own[KNOT_ACCUMULATORS];
    knot_wide squares[2][KNOT_ACCUMULATORS];
} knot_tiny_lanes;

typedef struct {
    double products[2];
    double own;
    double squares[2];
} knot_tiny_products;

#define KNOT_EITHER(is_left, left, right) (((is_left) & (left)) | (~(is_left) & (right)))

/// Takes a row in. Each place keeps its row, or gets the new one, or the one from the place before where the new one went in
/// further ahead. Rows come in order, so that of equal ones the earlier stays in front.
static inline __attribute__((always_inline)) void knot_place(knot_places *places, int vectors, float score, uint32_t row) {
    const knot_place_scores new_score = score - (knot_place_scores){0};
    const knot_place_rows new_row = (int32_t)row - (knot_place_rows){0};
    knot_place_scores scores_ahead = INFINITY - (knot_place_scores){0};
    knot_place_rows rows_ahead = {0};
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++) {
        const knot_place_scores own = places->scores[v];
        const knot_place_rows own_row = places->rows[v];
        const knot_place_scores before = __builtin_shufflevector(
            scores_ahead, own, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
        const knot_place_rows row_before = __builtin_shufflevector(
            rows_ahead, own_row, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
        const knot_place_rows stays = own >= new_score, is_here = before >= new_score;
        const knot_place_rows here = KNOT_EITHER(is_here, (knot_place_rows)new_score, (knot_place_rows)before);
        const knot_place_rows row_here = KNOT_EITHER(is_here, new_row, row_before);
        places->scores[v] = (knot_place_scores)KNOT_EITHER(stays, (knot_place_rows)own, here);
        places->rows[v] = KNOT_EITHER(stays, own_row, row_here);
        scores_ahead = own, rows_ahead = own_row;
    }
}

/// The next KNOT_CANONICAL_LANES elements of a row and, with the first row, of the queries.
static inline __attribute__((always_inline)) void knot_tiny_step(
    knot_tiny_lanes *lanes, const float *row, const float *const queries[2], double *const wide[2], int is_first, int is_measured) {
#pragma clang loop unroll(full)
    for (int j = 0; j < KNOT_ACCUMULATORS; j += 2) {
        knot_whole whole = *(const knot_whole *)(row + (size_t)j * KNOT_DOUBLES);
        // As if it changed: otherwise the halves would be loaded one by one.
        __asm__("" : "+v"(whole));
        knot_half halves[2];
        memcpy(halves, &whole, sizeof halves);
#pragma clang loop unroll(full)
        for (int h = 0; h < 2; h++) {
            const size_t at = (size_t)(j + h) * KNOT_DOUBLES;
            const knot_wide x = __builtin_convertvector(halves[h], knot_wide);
#pragma clang loop unroll(full)
            for (int q = 0; q < 2; q++) {
                if (is_first) {
                    const knot_wide y = __builtin_convertvector(*(const knot_narrow *)(queries[q] + at), knot_wide);
                    *(knot_wide *)(wide[q] + at) = y;
                    lanes->squares[q][j + h] += y * y;
                    lanes->products[q][j + h] += x * y;
                } else {
                    lanes->products[q][j + h] += x * *(const knot_wide *)(wide[q] + at);
                }
            }
            if (is_measured) lanes->own[j + h] += x * x;
        }
    }
}

/// The last, incomplete lanes, with zeros behind. Adding a zero product leaves a lane as it is: no lane is ever -0.
static __attribute__((noinline)) void knot_padded(const float *from, size_t count, float *padded) {
    for (size_t i = 0; i < KNOT_CANONICAL_LANES; i++) padded[i] = i < count ? from[i] : 0;
}

static inline __attribute__((always_inline)) knot_tiny_products knot_tiny_row(
    knot_tiny *tiny, const float *row, int is_first, int is_measured) {
    const size_t dimension = tiny->rows->dimension, whole = dimension / KNOT_CANONICAL_LANES * KNOT_CANONICAL_LANES;
    // Behind the last row lies, in bulk work, what the next search reads.
    const char *ahead = (const char *)((uintptr_t)row + KNOT_TINY_AHEAD);
    knot_tiny_lanes lanes = {0};
    knot_ask_for_pages(row, dimension, 0);
    for (size_t i = 0; i < whole; i += KNOT_CANONICAL_LANES) {
        const float *const queries[2] = {tiny->queries[0] + i, tiny->queries[1] + i};
        double *const wide[2] = {tiny->wide[0] + i, tiny->wide[1] + i};
        knot_tiny_step(&lanes, row + i, queries, wide, is_first, is_measured);
        __builtin_prefetch(ahead + i * sizeof(float), 0, 3);
    }
    if (whole < dimension) {
        float padded[3][KNOT_CANONICAL_LANES];
        knot_padded(row + whole, dimension - whole, padded[2]);
        for (int q = 0; is_first && q < 2; q++) knot_padded(tiny->queries[q] + whole, dimension - whole, padded[q]);
        const float *const queries[2] = {padded[0], padded[1]};
        double *const wide[2] = {tiny->wide[0] + whole, tiny->wide[1] + whole};
        knot_tiny_step(&lanes, padded[2], queries, wide, is_first, is_measured);
    }
    knot_tiny_products products = {.products = {knot_sum_lanes(lanes.products[0]), knot_sum_lanes(lanes.products[1])}};
    if (is_measured) products.own = knot_sum_lanes(lanes.own);
    for (int q = 0; is_first && q < 2; q++) products.squares[q] = knot_sum_lanes(lanes.squares[q]);
    return products;
}

static inline __attribute__((always_inline)) void knot_tiny_ranked(knot_tiny *tiny, int vectors, int is_measured) {
    const knot_rows *rows = tiny->rows;
    knot_places places[2];
    for (int q = 0; q < 2; q++)
        for (int v = 0; v < vectors; v++) {
            places[q].scores[v] = -INFINITY - (knot_place_scores){0};
            places[q].rows[v] = (knot_place_rows){0};
        }
    const size_t later_each = tiny->later_bytes / 64 / tiny->count + 1;
    const char *later = tiny->later, *const later_end = (const char *)((uintptr_t)later + tiny->later_bytes);
    double norms[2] = {0, 0};
    uint32_t usable = 0;
    for (uint32_t i = 0; i < tiny->count; i++) {
        for (size_t line = 0; line < later_each && later < later_end; line++, later += 64) __builtin_prefetch(later, 0, 2);
        const float *row = rows->values + (size_t)tiny->picks[i] * rows->stride;
        knot_tiny_products sums;
        if (i == 0) {
            sums = knot_tiny_row(tiny, row, 1, is_measured);
            for (int q = 0; q < 2; q++) norms[q] = knot_length_of_squares(sums.squares[q]);
        } else {
            sums = knot_tiny_row(tiny, row, 0, is_measured);
        }
        const double norm = is_measured ? knot_length_of_squares(sums.own) : rows->norms[tiny->picks[i]];
        usable += norm > 0;
        // What is void stands behind all places.
#pragma clang loop unroll(full)
        for (int q = 0; q < 2; q++) {
            const int is_void = !(norm > 0 && norms[q] > 0);
            knot_place(&places[q], vectors, is_void ? -INFINITY : knot_cosine(sums.products[q], norms[q], norm), i);
        }
    }
    tiny->usable = usable;
    for (int q = 0; q < 2; q++) {
        tiny->norms[q] = norms[q];
        memcpy(tiny->scores[q], places[q].scores, (size_t)vectors * sizeof places[q].scores[0]);
        memcpy(tiny->order[q], places[q].rows, (size_t)vectors * sizeof places[q].rows[0]);
    }
}

static void knot_tiny_rank(knot_tiny *tiny) {
    const int is_measured = !tiny->rows->norms;
    if (tiny->limit <= KNOT_PLACES && is_measured) knot_tiny_ranked(tiny, 1, 1);
    else if (tiny->limit <= KNOT_PLACES) knot_tiny_ranked(tiny, 1, 0);
    else if (is_measured) knot_tiny_ranked(tiny, KNOT_TINY_ROWS / KNOT_PLACES, 1);
    else knot_tiny_ranked(tiny, KNOT_TINY_ROWS / KNOT_PLACES, 0);
}
