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

/// Rows from memory: one after another in its order, each asked for four rows ahead. Two chains hide behind the reading.
static void knot_far_dots(const float *const rows[4], const double *query, size_t dimension, double sums[4]) {
    const size_t whole = dimension / KNOT_CANONICAL_LANES * KNOT_CANONICAL_LANES;
    for (int r = 0; r < 4; r++) {
        knot_wide lanes[KNOT_ACCUMULATORS] = {0};
        const char *ahead = (const char *)((uintptr_t)rows[r] + 4 * dimension * sizeof(float));
        for (size_t i = 0; i < whole; i += KNOT_CANONICAL_LANES) {
            __builtin_prefetch(ahead + i * sizeof(float), 0, 3);
#pragma clang loop unroll(full)
            for (int a = 0; a < KNOT_ACCUMULATORS; a++) {
                const size_t at = i + (size_t)a * KNOT_DOUBLES;
                lanes[a] += __builtin_convertvector(*(const knot_narrow *)(rows[r] + at), knot_wide) *
                    *(const knot_wide *)(query + at);
            }
        }
        if (whole < dimension) knot_tail(rows[r], query, whole, dimension, lanes);
        sums[r] = knot_sum_lanes(lanes);
    }
}

static void knot_dots(
    const float *const rows[4], const float *const next[4], const double *query, size_t dimension, double sums[4]) {
    for (int r = 0; r < 4; r += KNOT_ROWS_AT_ONCE)
        knot_dots_some(rows + r, next + r, query, dimension, sums + r);
}

/// One row: it is read in the order of memory, which is how it comes fastest. With `squares`, the row's product with itself
/// too: it hides behind the memory.
static inline __attribute__((always_inline)) void knot_row_products(
    const float *row, const float *next, const double *first, const double *second, size_t dimension, double *sums,
    int squares) {
    knot_wide a[KNOT_ACCUMULATORS] = {0}, b[KNOT_ACCUMULATORS] = {0}, own[KNOT_ACCUMULATORS] = {0};
    const size_t whole = dimension / KNOT_CANONICAL_LANES * KNOT_CANONICAL_LANES;
    for (size_t i = 0; i < whole; i += KNOT_CANONICAL_LANES) {
#pragma clang loop unroll(full)
        for (int j = 0; j < KNOT_ACCUMULATORS; j++) {
            const size_t at = i + (size_t)j * KNOT_DOUBLES;
            const knot_wide x = __builtin_convertvector(*(const knot_narrow *)(row + at), knot_wide);
            a[j] += x * *(const knot_wide *)(first + at);
            b[j] += x * *(const knot_wide *)(second + at);
            if (squares) own[j] += x * x;
        }
        __builtin_prefetch(next + i, 0, 3);
    }
    if (whole < dimension) {
        knot_tail(row, first, whole, dimension, a);
        knot_tail(row, second, whole, dimension, b);
        if (squares) {
            double wide[KNOT_CANONICAL_LANES] = {0};
            for (size_t i = whole; i < dimension; i++) wide[i - whole] = row[i];
            knot_tail(row + whole, wide, 0, dimension - whole, own);
        }
    }
    sums[0] = knot_sum_lanes(a);
    sums[1] = knot_sum_lanes(b);
    if (squares) sums[2] = knot_sum_lanes(own);
}

static void knot_pair(
    const float *row, const float *next, const double *first, const double *second, size_t dimension, double sums[2]) {
    knot_row_products(row, next, first, second, dimension, sums, 0);
}

static void knot_triple(
    const float *row, const float *next, const double *first, const double *second, size_t dimension, double sums[3]) {
    knot_row_products(row, next, first, second, dimension, sums, 1);
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
