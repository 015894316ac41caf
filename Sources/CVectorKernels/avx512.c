/// AVX-512F: thirty-two registers of sixteen floats, so that a tile of 12 x 32 sums stays in registers.
///
/// Canonical products as in canonical.h, tiles as in float_tile.h.
#include <math.h>

#include "kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)

#define KNOT_DOUBLES 8
#define KNOT_ROWS_AT_ONCE 4
#include "canonical.h"

#define KNOT_FLOATS 16
#define KNOT_TILE_ROWS 12
#define KNOT_TILE_VECTORS 2
#define KNOT_NARROW_ROWS 4
#define KNOT_NARROW_COLUMNS 6
#define KNOT_MASK(flags) ((uint32_t)_mm512_test_epi32_mask((__m512i)(flags), (__m512i)(flags)))
#include "float_scan.h"
#include "float_tile.h"
#include "tiny.h"
#include "table.h"

#pragma clang attribute pop

const knot_kernels knot_kernels_avx512[2] = {
    {.name = "avx512", KNOT_INCLUDED_KERNELS, KNOT_KEEPING},
    {.name = "avx512", KNOT_INCLUDED_KERNELS, KNOT_PASSING},
};

#endif
