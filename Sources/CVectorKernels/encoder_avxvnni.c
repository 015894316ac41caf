/// The encoder with AVX2, FMA and AVX-VNNI, which many laptops have instead of AVX-512: bytes as encoder_bytes.h says,
/// in registers half as wide.
#include <math.h>
#include <string.h>

#include "encoder_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma,avxvnni"))), apply_to = function)

#define KNOT_FLOATS 8
#define KNOT_TILE_ROWS 6
#define KNOT_TILE_VECTORS 2
#define KNOT_DOT(sums, codes, weights) \
    ((knot_ints)_mm256_dpbusd_avx_epi32((__m256i)(sums), (__m256i)(codes), (__m256i)(weights)))
#include "encoder_math.h"
#include "encoder_linear.h"
#include "encoder_layer.h"
#include "encoder_bytes.h"

#pragma clang attribute pop

const knot_encoder_kernels knot_encoder_avxvnni = {
    .name = "avx2",
    KNOT_BYTE_ENCODER,
};

#endif
