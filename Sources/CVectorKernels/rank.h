/// Ranking a few scores: included by each variant's file, which sets the target and KNOT_FLOATS.
typedef float knot_few_floats __attribute__((vector_size(4 * KNOT_FLOATS), aligned(4)));
typedef int32_t knot_few_flags __attribute__((vector_size(4 * KNOT_FLOATS), aligned(4)));

/// Every lane's rank is how many scores are greater, and how many are equal and stand before it. Only in the register a
/// score itself is in do some lanes stand before it and others behind.
static void knot_rank(const float *scores, uint32_t count, int32_t *ranks) {
    knot_few_flags own;
    for (int j = 0; j < KNOT_FLOATS; j++) own[j] = j;
    for (uint32_t v = 0; v < count; v += KNOT_FLOATS) {
        const knot_few_floats s = *(const knot_few_floats *)(scores + v);
        knot_few_flags less = {0}, also = {0};
        const uint32_t end = v + KNOT_FLOATS < count ? v + KNOT_FLOATS : count;
        for (uint32_t j = 0; j < v; j++) less += scores[j] >= s;
        for (uint32_t j = v; j < end; j++)
            less += (scores[j] > s) | ((scores[j] == s) & (own > (int32_t)(j - v)));
        for (uint32_t j = end; j < count; j++) also += scores[j] > s;
        *(knot_few_flags *)(ranks + v) = -(less + also);
    }
}
