/// Products of rows with one query in single precision, as fast as rows can be read: included by each variant's file, which
/// sets the target and KNOT_FLOATS (floats in a register).
///
/// So little is done with each number that the CPU looks several rows ahead and asks for most of the memory by itself; so
/// the sums of a row are put aside in lanes, and added up when all rows are read. Registers wider than these read no faster.
///
/// The scan prefetches what follows in memory, in one of two ways. A hint for data that is used once (prefetchnta) reads at
/// least as fast on AMD Zen. On Intel's server cores the line then bypasses the second-level cache, whose own prefetcher
/// never starts, and the scan runs at half the speed or less. So the CPU's vendor decides, see dispatch.c.
#define KNOT_SCAN_LANES (KNOT_FLOATS < 8 ? KNOT_FLOATS : 8)
#define KNOT_SCAN_SUMS 8
#define KNOT_SCAN_AHEAD (8u << 10)

typedef float knot_scan_floats __attribute__((vector_size(4 * KNOT_SCAN_LANES), aligned(4)));

typedef float knot_scan_four __attribute__((vector_size(16)));

static inline __attribute__((always_inline)) void knot_float_scan(
    const float *rows, size_t stride, const uint32_t *picks, uint32_t count, const float *query, size_t dimension,
    float *products, int passes) {
    // Enough independent chains to hide the latency of addition.
    enum { step = KNOT_SCAN_SUMS * KNOT_SCAN_LANES };
    float lanes[KNOT_FLOAT_ROWS * KNOT_SCAN_LANES], rest[KNOT_FLOAT_ROWS];
    const size_t whole = dimension / step * step;
    for (uint32_t r = 0; r < count; r++) {
        const float *row = rows + (size_t)(picks ? picks[r] : r) * stride;
        knot_scan_floats sums[KNOT_SCAN_SUMS] = {0};
        knot_ask_for_pages(row, dimension, passes);
        for (size_t i = 0; i < whole; i += step) {
            const char *ahead = (const char *)((uintptr_t)(row + i) + KNOT_SCAN_AHEAD);
#pragma clang loop unroll(full)
            for (int s = 0; s < KNOT_SCAN_SUMS; s++) {
                const size_t at = (size_t)s * KNOT_SCAN_LANES;
                if (at % 16 == 0) knot_ask(ahead + at * sizeof(float), passes);
                sums[s] += *(const knot_scan_floats *)(row + i + at) * *(const knot_scan_floats *)(query + i + at);
            }
        }
#pragma clang loop unroll(full)
        for (int apart = KNOT_SCAN_SUMS / 2; apart > 0; apart /= 2)
#pragma clang loop unroll(full)
            for (int s = 0; s < apart; s++) sums[s] += sums[s + apart];
        *(knot_scan_floats *)(lanes + (size_t)r * KNOT_SCAN_LANES) = sums[0];
        rest[r] = 0;
        for (size_t i = whole; i < dimension; i++) rest[r] += row[i] * query[i];
    }
    for (uint32_t r = 0; r < count; r++) {
        const knot_scan_floats all = *(const knot_scan_floats *)(lanes + (size_t)r * KNOT_SCAN_LANES);
#if KNOT_FLOATS >= 8
        const knot_scan_four four = __builtin_shufflevector(all, all, 0, 1, 2, 3) + __builtin_shufflevector(all, all, 4, 5, 6, 7);
#else
        const knot_scan_four four = all;
#endif
        products[r] = ((four[0] + four[2]) + (four[1] + four[3])) + rest[r];
    }
}

static void knot_float_scan_keeping(
    const float *rows, size_t stride, const uint32_t *picks, uint32_t count, const float *query, size_t dimension,
    float *products) {
    knot_float_scan(rows, stride, picks, count, query, dimension, products, 0);
}

static void knot_float_scan_passing(
    const float *rows, size_t stride, const uint32_t *picks, uint32_t count, const float *query, size_t dimension,
    float *products) {
    knot_float_scan(rows, stride, picks, count, query, dimension, products, 1);
}
