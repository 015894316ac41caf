/// The truth: plain loops that every other variant is held to.
///
/// A canonical product adds up in double precision, where the product of two floats is exact. So a fused multiply-add and
/// a multiplication followed by an addition round alike, and any CPU gives the same bits as long as it adds in the same
/// order: element i into lane i % 16, then the lanes pairwise (8 apart, 4, 2, 1). Sixteen lanes are two AVX-512 registers,
/// four of AVX, eight of SSE2: enough independent sums to hide the latency of addition on all of them.
///
/// This variant has no tiles: a search with it gives every pair of a row and a query its canonical score.
#include "kernels.h"

static double product(const float *row, const double *query, size_t dimension) {
    double lanes[KNOT_CANONICAL_LANES] = {0};
    for (size_t i = 0; i < dimension; i++) lanes[i % KNOT_CANONICAL_LANES] += (double)row[i] * query[i];
    for (size_t apart = KNOT_CANONICAL_LANES / 2; apart > 0; apart /= 2)
        for (size_t j = 0; j < apart; j++) lanes[j] += lanes[j + apart];
    return lanes[0];
}

static void dots(
    const float *const rows[4], const float *const next[4], const double *query, size_t dimension, double sums[4]) {
    (void)next;
    for (int r = 0; r < 4; r++) sums[r] = product(rows[r], query, dimension);
}

static double widen(const float *row, size_t dimension, double *wide) {
    for (size_t i = 0; i < dimension; i++) wide[i] = row[i];
    for (size_t i = dimension; i % KNOT_CANONICAL_LANES != 0; i++) wide[i] = 0;
    return product(row, wide, dimension);
}

static void pair(knot_pairing *pairing, int is_first, int is_measured) {
    const float *row = pairing->row;
    const size_t dimension = pairing->dimension;
    for (int q = 0; q < 2; q++) {
        if (is_first) pairing->squares[q] = widen(pairing->queries[q], dimension, pairing->wide[q]);
        pairing->sums[q] = product(row, pairing->wide[q], dimension);
    }
    double wide[KNOT_MAX_DIMENSION];
    if (is_measured) pairing->own = widen(row, dimension, wide);
}

static void rank(const float *scores, uint32_t count, int32_t *ranks) {
    for (uint32_t i = 0; i < count; i++) {
        ranks[i] = 0;
        for (uint32_t j = 0; j < count; j++) ranks[i] += scores[j] > scores[i];
    }
}

const knot_kernels knot_kernels_scalar = {
    .name = "scalar", .dots = dots, .pair = pair, .rank = rank, .widen = widen};
