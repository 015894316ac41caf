/// Four-bit codes of one row (nibbles.h): included where it is compiled, so that each variant gets it for its own vectors.
#include <math.h>

#include "rotate.h"

typedef double knot_eight_doubles __attribute__((vector_size(64), aligned(8)));
typedef float knot_eight_floats __attribute__((vector_size(32), aligned(4)));
typedef int32_t knot_eight_integers __attribute__((vector_size(32), aligned(4)));
typedef uint8_t knot_eight_bytes __attribute__((vector_size(8), aligned(1)));

#define KNOT_SUM_OF_EIGHT(v) (((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])))

/// Rotates a vector given in doubles, a multiple of 64, and codes it. Returns the square of the distance between
/// scale × levels and the direction.
static double knot_code_nibbles(double *wide, size_t padded, double norm, uint8_t *codes, float *scale) {
    // Where the next level becomes the nearer one, and how much farther out it lies.
    static const float borders[7] = {12, 24.5f, 37.5f, 51, 66.5f, 85.5f, 111.5f};
    static const int32_t apart[7] = {12, 13, 13, 14, 17, 21, 31};
    knot_rotate(wide, padded);
    const double unit = 1 / norm, stretch = unit * (KNOT_NIBBLE_DEVIATION * sqrt((double)padded));
    float levels[KNOT_MAX_DIMENSION];
    knot_eight_doubles products = {0}, squares = {0};
    for (size_t i = 0; i < padded; i += 8) {
        const knot_eight_doubles x = *(const knot_eight_doubles *)(wide + i);
        const knot_eight_floats z = __builtin_convertvector(x * stretch, knot_eight_floats);
        const knot_eight_integers below = z < 0;
        const knot_eight_floats far = (knot_eight_floats)((knot_eight_integers)z & 0x7fffffff);
        knot_eight_integers level = {6, 6, 6, 6, 6, 6, 6, 6}, code = {8, 8, 8, 8, 8, 8, 8, 8};
#pragma clang loop unroll(full)
        for (int b = 0; b < 7; b++) {
            const knot_eight_integers passed = far >= borders[b];
            level += passed & apart[b];
            code -= passed;
        }
        // Below zero all is mirrored.
        level = (level ^ below) - below;
        code = (code ^ below) + (below & 16);
        *(knot_eight_bytes *)(codes + i) = __builtin_convertvector(code, knot_eight_bytes);
        *(knot_eight_floats *)(levels + i) = __builtin_convertvector(level, knot_eight_floats);
        const knot_eight_doubles l = __builtin_convertvector(level, knot_eight_doubles);
        products += x * l;
        squares += l * l;
    }
    *scale = (float)(KNOT_SUM_OF_EIGHT(products) * unit / KNOT_SUM_OF_EIGHT(squares));
    knot_eight_doubles errors = {0};
    const double step = *scale;
    for (size_t i = 0; i < padded; i += 8) {
        const knot_eight_doubles l = __builtin_convertvector(*(const knot_eight_floats *)(levels + i), knot_eight_doubles);
        const knot_eight_doubles left = *(const knot_eight_doubles *)(wide + i) * unit - l * step;
        errors += left * left;
    }
    return KNOT_SUM_OF_EIGHT(errors);
}
