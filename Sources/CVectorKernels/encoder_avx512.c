/// The encoder with AVX-512F; see encoder_linear.h and encoder_layer.h.
#include <math.h>

#include "encoder_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)

#define KNOT_FLOATS 16
#define KNOT_TILE_ROWS 12
#define KNOT_TILE_VECTORS 2
#include "encoder_math.h"
#include "encoder_linear.h"
#include "encoder_layer.h"

#pragma clang attribute pop

const knot_encoder_kernels knot_encoder_avx512 = {
    .name = "avx512",
    .lanes = KNOT_LANES,
    .folds_factor = 1,
    .linear = knot_encoder_linear,
    .attend = knot_encoder_attend,
    .norm = knot_encoder_norm,
};

#endif
