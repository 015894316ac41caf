/// Codes of four bits: nibbles.h says what they are.
#include "nibbles.h"

#include <string.h>

#include "nibble_code.h"

void knot_encode_nibbles(
    const knot_kernels *kernels, const float *values, size_t stride, const double *norms, size_t count,
    size_t dimension, uint8_t *nibbles, size_t nibble_stride, float *scales, float *reaches) {
    double wide[KNOT_MAX_DIMENSION];
    uint8_t codes[KNOT_MAX_DIMENSION] = {0};
    const size_t padded = knot_round_up(dimension, 64), whole = knot_round_up(dimension, KNOT_NIBBLE_DIMENSIONS);
    for (size_t row = 0; row < count; row++) {
        uint8_t *out = nibbles + row * nibble_stride;
        memset(out, 0, nibble_stride);
        if (!(norms[row] > 0)) {
            scales[row] = NAN;
            reaches[row] = 0;
            continue;
        }
        kernels->widen(values + row * stride, dimension, wide);
        memset(wide + dimension, 0, (padded - dimension) * sizeof *wide);
        const double squares =
            (kernels->code_nibbles ? kernels->code_nibbles : knot_code_nibbles)(wide, padded, norms[row], codes, &scales[row]);
        reaches[row] = knot_at_least(sqrt(squares));
        for (size_t i = 0; i < whole; i += KNOT_NIBBLE_DIMENSIONS)
            for (size_t j = 0; j < 64; j++) out[i / 2 + j] = (uint8_t)(codes[i + j] | codes[i + 64 + j] << 4);
    }
}
