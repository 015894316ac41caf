/// A product in single precision, as fast as a row can be read: included by each variant's file, which sets the target and
/// KNOT_FLOATS (floats in a register).
///
/// So little is done with each number that the CPU looks several rows ahead and asks for most of the memory by itself. What
/// follows in memory is asked for as well, as something that is wanted once.
#define KNOT_PRODUCT_SUMS (KNOT_FLOATS >= 8 ? 4 : 8)
#define KNOT_PRODUCT_AHEAD (8u << 10)

typedef float knot_row_floats __attribute__((vector_size(4 * KNOT_FLOATS), aligned(4)));

static float knot_float_product(const float *row, const float *query, size_t dimension) {
    // Enough independent chains to hide the latency of addition.
    enum { step = KNOT_PRODUCT_SUMS * KNOT_FLOATS };
    knot_row_floats sums[KNOT_PRODUCT_SUMS] = {0};
    const size_t whole = dimension / step * step;
    for (size_t i = 0; i < whole; i += step) {
        const char *ahead = (const char *)((uintptr_t)(row + i) + KNOT_PRODUCT_AHEAD);
#pragma clang loop unroll(full)
        for (size_t byte = 0; byte < step * sizeof(float); byte += 64) __builtin_prefetch(ahead + byte, 0, 0);
#pragma clang loop unroll(full)
        for (int s = 0; s < KNOT_PRODUCT_SUMS; s++)
            sums[s] += *(const knot_row_floats *)(row + i + (size_t)s * KNOT_FLOATS) *
                *(const knot_row_floats *)(query + i + (size_t)s * KNOT_FLOATS);
    }
#pragma clang loop unroll(full)
    for (int apart = KNOT_PRODUCT_SUMS / 2; apart > 0; apart /= 2)
        for (int s = 0; s < apart; s++) sums[s] += sums[s + apart];
    float last[KNOT_FLOATS];
    for (int j = 0; j < KNOT_FLOATS; j++) last[j] = sums[0][j];
    for (int apart = KNOT_FLOATS / 2; apart > 0; apart /= 2)
        for (int j = 0; j < apart; j++) last[j] += last[j + apart];
    for (size_t i = whole; i < dimension; i++) last[0] += row[i] * query[i];
    return last[0];
}
