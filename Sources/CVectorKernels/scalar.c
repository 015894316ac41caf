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

/// Takes a row in behind those with the same score or more.
static void place(float *scores, int32_t *order, uint32_t count, float score, uint32_t row) {
    for (; count > 0 && !(scores[count - 1] >= score); count--) {
        scores[count] = scores[count - 1];
        order[count] = order[count - 1];
    }
    scores[count] = score;
    order[count] = (int32_t)row;
}

static void tiny(knot_tiny *tiny) {
    const knot_rows *rows = tiny->rows;
    tiny->usable = 0;
    for (int q = 0; q < 2; q++)
        tiny->norms[q] = knot_length_of_squares(widen(tiny->queries[q], rows->dimension, tiny->wide[q]));
    for (uint32_t i = 0; i < tiny->count; i++) {
        const float *row = rows->values + (size_t)tiny->picks[i] * rows->stride;
        double wide[KNOT_TINY_DIMENSION];
        const double norm = rows->norms ? rows->norms[tiny->picks[i]] : knot_length_of_squares(widen(row, rows->dimension, wide));
        if (!(norm > 0)) continue;
        for (int q = 0; q < 2; q++) {
            const double sum = product(row, tiny->wide[q], rows->dimension);
            place(tiny->scores[q], tiny->order[q], tiny->usable, tiny->norms[q] > 0 ? knot_cosine(sum, tiny->norms[q], norm) : 0, i);
        }
        tiny->usable++;
    }
}

const knot_kernels knot_kernels_scalar = {
    .name = "scalar", .dots = dots, .tiny = tiny, .widen = widen};
