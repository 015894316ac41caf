/// Canonical products with vectors of KNOT_DOUBLES doubles: included by each variant's file, which sets the target.
///
/// The order of additions is that of scalar.c: lane i % 16 of the sum is lane i % KNOT_DOUBLES of one of the accumulators.
#define KNOT_ACCUMULATORS (KNOT_CANONICAL_LANES / KNOT_DOUBLES)

typedef double knot_wide __attribute__((vector_size(8 * KNOT_DOUBLES), aligned(8)));
typedef float knot_narrow __attribute__((vector_size(4 * KNOT_DOUBLES), aligned(4)));

static inline __attribute__((always_inline)) double knot_sum_lanes(knot_wide *lanes) {
    for (int apart = KNOT_ACCUMULATORS / 2; apart > 0; apart /= 2)
        for (int a = 0; a < apart; a++) lanes[a] += lanes[a + apart];
    double last[KNOT_DOUBLES];
    for (int j = 0; j < KNOT_DOUBLES; j++) last[j] = lanes[0][j];
    for (int apart = KNOT_DOUBLES / 2; apart > 0; apart /= 2)
        for (int j = 0; j < apart; j++) last[j] += last[j + apart];
    return last[0];
}

/// The last, incomplete lanes of a row. Adding a zero product leaves a lane as it is: no lane is ever -0.
static inline __attribute__((always_inline)) void knot_tail(
    const float *row, const double *query, size_t whole, size_t dimension, knot_wide *lanes) {
    float tail[KNOT_CANONICAL_LANES] = {0};
    for (size_t i = whole; i < dimension; i++) tail[i - whole] = row[i];
    for (int a = 0; a < KNOT_ACCUMULATORS; a++)
        lanes[a] += __builtin_convertvector(*(const knot_narrow *)(tail + a * KNOT_DOUBLES), knot_wide) *
            *(const knot_wide *)(query + whole + a * KNOT_DOUBLES);
}

/// KNOT_ROWS_AT_ONCE rows share each load of the query; all sums are independent chains.
static inline __attribute__((always_inline)) void knot_dots_some(
    const float *const *rows, const float *const *next, const double *query, size_t dimension, double *sums) {
    knot_wide lanes[KNOT_ROWS_AT_ONCE][KNOT_ACCUMULATORS] = {0};
    const size_t whole = dimension / KNOT_CANONICAL_LANES * KNOT_CANONICAL_LANES;
    for (size_t i = 0; i < whole; i += KNOT_CANONICAL_LANES) {
#pragma clang loop unroll(full)
        for (int a = 0; a < KNOT_ACCUMULATORS; a++) {
            const size_t at = i + (size_t)a * KNOT_DOUBLES;
            const knot_wide q = *(const knot_wide *)(query + at);
#pragma clang loop unroll(full)
            for (int r = 0; r < KNOT_ROWS_AT_ONCE; r++)
                lanes[r][a] += __builtin_convertvector(*(const knot_narrow *)(rows[r] + at), knot_wide) * q;
        }
#pragma clang loop unroll(full)
        for (int r = 0; r < KNOT_ROWS_AT_ONCE; r++) __builtin_prefetch(next[r] + i, 0, 3);
    }
    for (int r = 0; r < KNOT_ROWS_AT_ONCE; r++) {
        if (whole < dimension) knot_tail(rows[r], query, whole, dimension, lanes[r]);
        sums[r] = knot_sum_lanes(lanes[r]);
    }
}

static void knot_dots(
    const float *const rows[4], const float *const next[4], const double *query, size_t dimension, double sums[4]) {
    for (int r = 0; r < 4; r += KNOT_ROWS_AT_ONCE)
        knot_dots_some(rows + r, next + r, query, dimension, sums + r);
}

/// One row with two queries: it is read in the order of memory, which is how it comes fastest. The first row of a search
/// brings the queries into doubles on the way, and a row of unknown length is multiplied with itself: both hide behind the
/// memory.
static inline __attribute__((always_inline)) void knot_pair_sums(knot_pairing *pairing, int is_first, int is_measured) {
    knot_wide sums[2][KNOT_ACCUMULATORS] = {0}, own[KNOT_ACCUMULATORS] = {0}, squares[2][KNOT_ACCUMULATORS] = {0};
    const float *row = pairing->row, *const queries[2] = {pairing->queries[0], pairing->queries[1]};
    double *const wide[2] = {pairing->wide[0], pairing->wide[1]};
    const char *ahead = pairing->ahead;
    const size_t dimension = pairing->dimension, whole = dimension / KNOT_CANONICAL_LANES * KNOT_CANONICAL_LANES;
    for (size_t i = 0; i < whole; i += KNOT_CANONICAL_LANES) {
#pragma clang loop unroll(full)
        for (int j = 0; j < KNOT_ACCUMULATORS; j++) {
            const size_t at = i + (size_t)j * KNOT_DOUBLES;
            const knot_wide x = __builtin_convertvector(*(const knot_narrow *)(row + at), knot_wide);
#pragma clang loop unroll(full)
            for (int q = 0; q < 2; q++) {
                if (is_first) {
                    const knot_wide y = __builtin_convertvector(*(const knot_narrow *)(queries[q] + at), knot_wide);
                    *(knot_wide *)(wide[q] + at) = y;
                    squares[q][j] += y * y;
                    sums[q][j] += x * y;
                } else {
                    sums[q][j] += x * *(const knot_wide *)(wide[q] + at);
                }
            }
            if (is_measured) own[j] += x * x;
        }
        __builtin_prefetch(ahead + i * sizeof(float), 0, 3);
    }
    if (whole < dimension) {
        for (int q = 0; q < 2; q++) {
            for (size_t i = whole; is_first && i < whole + KNOT_CANONICAL_LANES; i++)
                wide[q][i] = i < dimension ? queries[q][i] : 0;
            if (is_first) knot_tail(queries[q], wide[q], whole, dimension, squares[q]);
            knot_tail(row, wide[q], whole, dimension, sums[q]);
        }
        double last[KNOT_CANONICAL_LANES] = {0};
        for (size_t i = whole; i < dimension; i++) last[i - whole] = row[i];
        if (is_measured) knot_tail(row + whole, last, 0, dimension - whole, own);
    }
    for (int q = 0; q < 2; q++) {
        pairing->sums[q] = knot_sum_lanes(sums[q]);
        if (is_first) pairing->squares[q] = knot_sum_lanes(squares[q]);
    }
    if (is_measured) pairing->own = knot_sum_lanes(own);
}

static void knot_pair(knot_pairing *pairing, int is_first, int is_measured) {
    if (is_first && is_measured) knot_pair_sums(pairing, 1, 1);
    else if (is_first) knot_pair_sums(pairing, 1, 0);
    else if (is_measured) knot_pair_sums(pairing, 0, 1);
    else knot_pair_sums(pairing, 0, 0);
}

static double knot_widen(const float *row, size_t dimension, double *wide) {
    knot_wide lanes[KNOT_ACCUMULATORS] = {0};
    for (size_t i = 0; i < dimension; i += KNOT_CANONICAL_LANES) {
        float tail[KNOT_CANONICAL_LANES] = {0};
        const float *from = row + i;
        if (dimension - i < KNOT_CANONICAL_LANES) {
            for (size_t j = 0; j < dimension - i; j++) tail[j] = row[i + j];
            from = tail;
        }
#pragma clang loop unroll(full)
        for (int a = 0; a < KNOT_ACCUMULATORS; a++) {
            const knot_wide x = __builtin_convertvector(*(const knot_narrow *)(from + a * KNOT_DOUBLES), knot_wide);
            *(knot_wide *)(wide + i + a * KNOT_DOUBLES) = x;
            lanes[a] += x * x;
        }
    }
    return knot_sum_lanes(lanes);
}
