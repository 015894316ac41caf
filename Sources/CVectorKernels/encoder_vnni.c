/// The encoder with AVX-512 and VNNI: floats as with AVX-512 alone, bytes as encoder_bytes.h says.
#include <math.h>
#include <string.h>

#include "encoder_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))), apply_to = function)

#define KNOT_FLOATS 16
#define KNOT_TILE_ROWS 12
#define KNOT_TILE_VECTORS 2
#define KNOT_DOT(sums, codes, weights) \
    ((knot_ints)_mm512_dpbusd_epi32((__m512i)(sums), (__m512i)(codes), (__m512i)(weights)))
#include "encoder_math.h"
#include "encoder_linear.h"
#include "encoder_layer.h"
#include "encoder_bytes.h"

#pragma clang attribute pop

const knot_encoder_kernels knot_encoder_vnni = {
    .name = "vnni",
    KNOT_BYTE_ENCODER,
};

#endif
