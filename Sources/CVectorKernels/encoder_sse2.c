/// The encoder with SSE2, which every x86-64 has; see encoder_linear.h and encoder_layer.h.
#include <math.h>

#include "encoder_kernels.h"

#if defined(__x86_64__)

#pragma clang attribute push(__attribute__((target("sse2"))), apply_to = function)

#define KNOT_FLOATS 4
#define KNOT_TILE_ROWS 4
#define KNOT_TILE_VECTORS 2
#include "encoder_math.h"
#include "encoder_linear.h"
#include "encoder_layer.h"

#pragma clang attribute pop

const knot_encoder_kernels knot_encoder_sse2 = {
    .name = "sse2",
    .lanes = KNOT_LANES,
    .folds_factor = 1,
    .linear = knot_encoder_linear,
    .attend = knot_encoder_attend,
    .norm = knot_encoder_norm,
};

#endif
