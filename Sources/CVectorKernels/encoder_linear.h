/// Linear layers in single precision: included by each variant's file of the encoder after encoder_math.h. The file
/// sets KNOT_TILE_ROWS and KNOT_TILE_VECTORS.
///
/// A tile is a few rows times one panel. Its sums stay in registers from the first input to the last; a step is one
/// load for each register of the panel, one broadcast for each row, and rows × vectors multiply-adds. Rows are dealt to
/// tiles as evenly as they go, so that no tile is much lower than the others; there is a function for every height, and
/// for panels of half the lanes, which attention uses where a whole one would stay half empty.
///
/// All row tiles pass over a panel while it is in the nearest caches, and the first of them asks for the next panel:
/// without that, a sixth of the time went by in waiting for weights from the third-level cache.
#define KNOT_LANES (KNOT_TILE_VECTORS * KNOT_FLOATS)
#define KNOT_HALF_LANES (KNOT_LANES / 2)

KNOT_INLINE void knot_sums(
    const int height, const int vectors, const float *rows, size_t stride, const float *panel, size_t inputs,
    const char *ahead, float *out, size_t out_stride) {
    knot_floats sums[KNOT_TILE_ROWS][KNOT_TILE_VECTORS];
#pragma clang loop unroll(full)
    for (int r = 0; r < height; r++)
#pragma clang loop unroll(full)
        for (int v = 0; v < vectors; v++) sums[r][v] = (knot_floats){0};
    for (size_t i = 0; i < inputs; i++) {
        knot_floats w[KNOT_TILE_VECTORS];
#pragma clang loop unroll(full)
        for (int v = 0; v < vectors; v++) w[v] = knot_load(panel + (i * (size_t)vectors + (size_t)v) * KNOT_FLOATS);
#pragma clang loop unroll(full)
        for (int r = 0; r < height; r++) {
            const float x = rows[(size_t)r * stride + i];
#pragma clang loop unroll(full)
            for (int v = 0; v < vectors; v++) sums[r][v] += w[v] * x;
        }
#pragma clang loop unroll(full)
        for (size_t near = 0; near < KNOT_LANES * sizeof(float); near += 64)
            __builtin_prefetch(ahead + KNOT_LANES * sizeof(float) * i + near, 0, 2);
    }
#pragma clang loop unroll(full)
    for (int r = 0; r < height; r++)
#pragma clang loop unroll(full)
        for (int v = 0; v < vectors; v++)
            knot_store(out + (size_t)r * out_stride + (size_t)v * KNOT_FLOATS, sums[r][v]);
}

typedef void (*knot_sums_function)(
    const float *rows, size_t stride, const float *panel, size_t inputs, const char *ahead, float *out,
    size_t out_stride);

#define KNOT_SUMS(HEIGHT) \
    static void knot_sums_##HEIGHT( \
        const float *rows, size_t stride, const float *panel, size_t inputs, const char *ahead, float *out, \
        size_t out_stride) { \
        knot_sums(HEIGHT, KNOT_TILE_VECTORS, rows, stride, panel, inputs, ahead, out, out_stride); \
    } \
    static void knot_half_sums_##HEIGHT( \
        const float *rows, size_t stride, const float *panel, size_t inputs, const char *ahead, float *out, \
        size_t out_stride) { \
        knot_sums(HEIGHT, KNOT_TILE_VECTORS / 2, rows, stride, panel, inputs, ahead, out, out_stride); \
    }
KNOT_SUMS(1)
KNOT_SUMS(2)
KNOT_SUMS(3)
KNOT_SUMS(4)
#if KNOT_TILE_ROWS > 4
KNOT_SUMS(5)
KNOT_SUMS(6)
#endif
#if KNOT_TILE_ROWS > 6
KNOT_SUMS(7)
KNOT_SUMS(8)
KNOT_SUMS(9)
KNOT_SUMS(10)
KNOT_SUMS(11)
KNOT_SUMS(12)
#endif

#if KNOT_TILE_ROWS == 4
#define KNOT_HEIGHTS(NAME) {[1] = NAME##1, NAME##2, NAME##3, NAME##4}
#elif KNOT_TILE_ROWS == 6
#define KNOT_HEIGHTS(NAME) {[1] = NAME##1, NAME##2, NAME##3, NAME##4, NAME##5, NAME##6}
#else
#define KNOT_HEIGHTS(NAME) \
    {[1] = NAME##1, NAME##2, NAME##3, NAME##4, NAME##5, NAME##6, \
     [7] = NAME##7, NAME##8, NAME##9, NAME##10, NAME##11, NAME##12}
#endif

static const knot_sums_function knot_sums_of[KNOT_TILE_ROWS + 1] = KNOT_HEIGHTS(knot_sums_);
static const knot_sums_function knot_half_sums_of[KNOT_TILE_ROWS + 1] = KNOT_HEIGHTS(knot_half_sums_);

/// How many of the rows left the next tile takes.
KNOT_INLINE size_t knot_next_height(size_t left, size_t most) {
    const size_t tiles = (left + most - 1) / most;
    return (left + tiles - 1) / tiles;
}

/// What a tile asks for while it runs, step by step as it reads its own panel: the first tile the panel that follows in
/// memory, the others what is there already.
KNOT_INLINE const char *knot_ahead(const void *panel, size_t bytes, size_t row) {
    return (const char *)((uintptr_t)panel + (row == 0 ? bytes : 0));
}

static void knot_encoder_linear(const knot_linear *layer, const float *rows, size_t count, knot_then then, float *out) {
    float tile[KNOT_TILE_ROWS * KNOT_LANES];
    const float *panel = layer->panels;
    for (size_t first = 0; first < layer->outputs; first += KNOT_LANES, panel += KNOT_LANES * layer->inputs) {
        const size_t left = layer->outputs - first, width = left < KNOT_LANES ? left : KNOT_LANES;
        for (size_t row = 0, height; row < count; row += height) {
            height = knot_next_height(count - row, KNOT_TILE_ROWS);
            const char *ahead = knot_ahead(panel, KNOT_LANES * layer->inputs * sizeof(float), row);
            knot_sums_of[height](
                rows + row * layer->inputs, layer->inputs, panel, layer->inputs, ahead, tile, KNOT_LANES);
            for (size_t r = 0; r < height; r++) {
                const float *sums = tile + r * KNOT_LANES, *bias = layer->bias + first;
                float *to = out + (row + r) * layer->outputs + first;
                for (size_t c = 0; c < width; c += KNOT_FLOATS) {
                    knot_floats x = knot_load(sums + c) + knot_load(bias + c);
                    if (then == KNOT_THEN_GELU) x = knot_gelu(x);
                    if (then == KNOT_THEN_ADD) x += knot_load(to + c);
                    knot_store(to + c, x);
                }
            }
        }
    }
}
