/// SSE2, which every x86-64 has: no fused multiply-add, sixteen registers of four floats.
///
/// Canonical products as in canonical.h, tiles as in float_tile.h.
#include <math.h>

#include "kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("sse2"))), apply_to = function)

#define KNOT_DOUBLES 2
#define KNOT_ROWS_AT_ONCE 1
#include "canonical.h"

#define KNOT_FLOATS 4
#define KNOT_TILE_ROWS 4
#define KNOT_TILE_VECTORS 2
#define KNOT_NARROW_ROWS 2
#define KNOT_NARROW_COLUMNS 4
#define KNOT_MASK(flags) ((uint32_t)_mm_movemask_ps((__m128)(flags)))
#include "float_scan.h"
#include "float_tile.h"
#include "tiny.h"
#include "table.h"

#pragma clang attribute pop

const knot_kernels knot_kernels_sse2[2] = {
    {.name = "sse2", KNOT_INCLUDED_KERNELS, KNOT_KEEPING},
    {.name = "sse2", KNOT_INCLUDED_KERNELS, KNOT_PASSING},
};

#endif
