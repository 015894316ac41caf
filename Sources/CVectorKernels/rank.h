/// Ranking a few scores: included by each variant's file, which sets the target and KNOT_FLOATS.
typedef float knot_few_floats __attribute__((vector_size(4 * KNOT_FLOATS), aligned(4)));
typedef int32_t knot_few_flags __attribute__((vector_size(4 * KNOT_FLOATS), aligned(4)));

static void knot_rank(const float *scores, uint32_t count, int32_t *ranks) {
    for (uint32_t v = 0; v < count; v += KNOT_FLOATS) {
        const knot_few_floats s = *(const knot_few_floats *)(scores + v);
        // Two chains of additions.
        knot_few_flags greater[2] = {{0}, {0}};
        for (uint32_t j = 0; j < count; j++) greater[j & 1] += scores[j] > s;
        *(knot_few_flags *)(ranks + v) = -(greater[0] + greater[1]);
    }
}
