/// Byte codes with a known distance from the truth.
///
/// A row x is coded by its direction x/|x|, turned by a fixed rotation (rotate.h): one scale s for the row and integers c in -127…127, stored as 128 + c because the
/// CPU multiplies unsigned bytes with signed ones. With y = s·c, the *reach* r of a row is at least |x/|x| - y|, measured on
/// the codes as they are, not assumed. A query u (a unit vector) is coded likewise, v with error e ≥ |u - v|. Then
///
///     |u·x/|x| - v·y| = |u·(x/|x| - y) + (u - v)·y| ≤ r + e·|y| ≤ r + e·(1 + r)
///
/// by Cauchy and Schwarz. The integer sum behind v·y is exact: 127·255 for each dimension fits 32 bits by far. What is left is rounding: the sum turned
/// into a float, the product of the two scales, their product with the sum, the sum of score and reach, each at most 2⁻²⁴ of
/// a number below 1.1, and the rounding of the canonical score, 2⁻²⁵: below 2.9e-7 in all. KNOT_CODE_SLACK covers it.
#include <math.h>
#include <string.h>

#include "kernels.h"

#include "rotate.h"

/// To the nearest integer, ties to even, as long as the value is far below 2⁵¹: what lies behind the point falls off.
static inline int32_t nearest(double value) {
    const double shift = 6755399441055744.0;
    return (int32_t)((value + shift) - shift);
}

static double plain_code(double *wide, size_t padded, double norm, int32_t limit, int32_t *codes, float *step) {
    knot_rotate(wide, padded);
    double most = 0, error = 0;
    for (size_t i = 0; i < padded; i++) most = fabs(wide[i]) > most ? fabs(wide[i]) : most;
    *step = (float)(most / norm / limit);
    const double inverse = 1 / norm, unstep = inverse / *step;
    for (size_t i = 0; i < padded; i++) {
        const int32_t code = nearest(wide[i] * unstep);
        codes[i] = code > limit ? limit : code < -limit ? -limit : code;
        const double left = wide[i] * inverse - (double)*step * codes[i];
        error += left * left;
    }
    return error;
}

/// Codes of a query or row; the copy is rotated, not the original.
static float code(
    const knot_kernels *kernels, const double *wide, size_t dimension, double norm, int32_t limit, int32_t *codes, float *step) {
    double turned[KNOT_MAX_DIMENSION];
    const size_t padded = knot_round_up(dimension, 64);
    memcpy(turned, wide, dimension * sizeof *turned);
    memset(turned + dimension, 0, (padded - dimension) * sizeof *turned);
    return knot_at_least(sqrt((kernels->code ? kernels->code : plain_code)(turned, padded, norm, limit, codes, step)));
}

void knot_encode(
    const knot_kernels *kernels, const float *values, size_t stride, const double *norms, size_t count,
    size_t dimension, uint8_t *codes, size_t code_stride, float *scales, float *reaches) {
    double wide[KNOT_MAX_DIMENSION];
    int32_t integers[KNOT_MAX_DIMENSION];
    const size_t padded = knot_round_up(dimension, 64);
    for (size_t row = 0; row < count; row++) {
        uint8_t *bytes = codes + row * code_stride;
        if (!(norms[row] > 0)) {
            for (size_t i = 0; i < code_stride; i++) bytes[i] = 128;
            scales[row] = NAN;
            reaches[row] = 0;
            continue;
        }
        kernels->widen(values + row * stride, dimension, wide);
        reaches[row] = code(kernels, wide, dimension, norms[row], 127, integers, &scales[row]);
        for (size_t i = 0; i < padded; i++) bytes[i] = (uint8_t)(128 + integers[i]);
        for (size_t i = padded; i < code_stride; i++) bytes[i] = 128;
    }
}

knot_coded knot_encode_query(const knot_kernels *kernels, const double *wide, double norm, size_t dimension, int8_t *codes) {
    int32_t integers[KNOT_MAX_DIMENSION];
    knot_coded coded = {0};
    coded.error = code(kernels, wide, dimension, norm, 127, integers, &coded.scale);
    for (size_t i = 0; i < knot_round_up(dimension, 64); i++) {
        codes[i] = (int8_t)integers[i];
        coded.sum += integers[i];
    }
    return coded;
}
