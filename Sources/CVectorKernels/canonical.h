/// Canonical products with vectors of KNOT_DOUBLES doubles: included by each variant's file, which sets the target.
///
/// The order of additions is that of scalar.c: lane i % 16 of the sum is lane i % KNOT_DOUBLES of one of the accumulators.
#define KNOT_ACCUMULATORS (KNOT_CANONICAL_LANES / KNOT_DOUBLES)

typedef double knot_wide __attribute__((vector_size(8 * KNOT_DOUBLES), aligned(8)));
typedef float knot_narrow __attribute__((vector_size(4 * KNOT_DOUBLES), aligned(4)));

typedef double knot_four_wide __attribute__((vector_size(32)));
typedef double knot_two_wide __attribute__((vector_size(16)));

/// Written out in halves of registers, so that the compiler finds no other way.
static inline __attribute__((always_inline)) double knot_sum_lanes(knot_wide *lanes) {
#pragma clang loop unroll(full)
    for (int apart = KNOT_ACCUMULATORS / 2; apart > 0; apart /= 2)
#pragma clang loop unroll(full)
        for (int a = 0; a < apart; a++) lanes[a] += lanes[a + apart];
    const knot_wide all = lanes[0];
#if KNOT_DOUBLES == 8
    const knot_four_wide four = __builtin_shufflevector(all, all, 0, 1, 2, 3) + __builtin_shufflevector(all, all, 4, 5, 6, 7);
#elif KNOT_DOUBLES == 4
    const knot_four_wide four = all;
#endif
#if KNOT_DOUBLES >= 4
    const knot_two_wide two = __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
#else
    const knot_two_wide two = all;
#endif
    return two[0] + two[1];
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
