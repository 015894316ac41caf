/// What canonical.h, float_scan.h, float_tile.h and tiny.h made for a variant, as entries of its table: included after them.
#define KNOT_INCLUDED_KERNELS \
    .dots = knot_dots, .tiny = knot_tiny_rank, .widen = knot_widen, \
    .tile_rows = KNOT_TILE_ROWS, .tile_lanes = KNOT_TILE_LANES, .float_tile = knot_float_tile, \
    .product_tile = knot_product_tile, .product_strip = knot_product_strip, .narrow_rows = KNOT_NARROW_ROWS, \
    .narrow_columns = KNOT_NARROW_COLUMNS, .product_narrow = knot_product_narrow

/// The kinds of prefetch, in the order of a kernel's two tables.
#define KNOT_KEEPING .passes_caches = 0, .float_scan = knot_float_scan_keeping
#define KNOT_PASSING .passes_caches = 1, .float_scan = knot_float_scan_passing
