/// AVX2 with FMA (2013 and later): sixteen registers of eight floats.
///
/// Canonical products as in canonical.h, tiles as in float_tile.h.
#include <math.h>

#include "kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)

#define KNOT_DOUBLES 4
#define KNOT_ROWS_AT_ONCE 2
#include "canonical.h"

#define KNOT_FLOATS 8
#define KNOT_TILE_ROWS 6
#define KNOT_TILE_VECTORS 2
#define KNOT_NARROW_ROWS 2
#define KNOT_NARROW_COLUMNS 4
#define KNOT_MASK(flags) ((uint32_t)_mm256_movemask_ps((__m256)(flags)))
#include "float_scan.h"
#include "float_tile.h"
#include "tiny.h"
#include "table.h"

#pragma clang attribute pop

const knot_kernels knot_kernels_avx2[2] = {
    {.name = "avx2", KNOT_INCLUDED_KERNELS, KNOT_KEEPING},
    {.name = "avx2", KNOT_INCLUDED_KERNELS, KNOT_PASSING},
};

#endif
