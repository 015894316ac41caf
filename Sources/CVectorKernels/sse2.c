/// SSE2, which every x86-64 has: no fused multiply-add, sixteen registers of four floats.
///
/// Canonical products as in canonical.h, tiles as in float_tile.h.
#include <math.h>

#include "kernels.h"

#if defined(__x86_64__)

#pragma clang attribute push(__attribute__((target("sse2"))), apply_to = function)

#define KNOT_DOUBLES 2
#define KNOT_ROWS_AT_ONCE 1
#include "canonical.h"

#define KNOT_FLOATS 4
#define KNOT_TILE_ROWS 4
#define KNOT_TILE_VECTORS 2
#define KNOT_NARROW_ROWS 2
#define KNOT_NARROW_COLUMNS 4
#include "float_tile.h"
#include "rank.h"

#pragma clang attribute pop

const knot_kernels knot_kernels_sse2 = {
    .name = "sse2",
    .dots = knot_dots,
    .far_dots = knot_far_dots,
    .pair = knot_pair,
    .rank = knot_rank,
    .widen = knot_widen,
    .tile_rows = KNOT_TILE_ROWS,
    .tile_lanes = KNOT_TILE_LANES,
    .float_tile = knot_float_tile,
    .product_tile = knot_product_tile,
    .product_strip = knot_product_strip,
    .narrow_rows = KNOT_NARROW_ROWS,
    .narrow_columns = KNOT_NARROW_COLUMNS,
    .product_narrow = knot_product_narrow,
};

#endif
