/// Dense work: canonical lengths and cosines, and fast products of many rows with many rows.
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

void knot_norms(
    const knot_kernels *kernels, const float *values, size_t stride, size_t count, size_t dimension, double *norms) {
    double wide[KNOT_MAX_DIMENSION];
    for (size_t i = 0; i < count; i++) norms[i] = knot_length(kernels, values + i * stride, dimension, wide);
}

void knot_cosines(
    const knot_kernels *kernels, const float *left, size_t left_stride, const double *left_norms, size_t left_count,
    const float *right, size_t right_stride, const double *right_norms, size_t right_count, size_t dimension,
    float *out) {
    double wide[KNOT_MAX_DIMENSION];
    for (size_t r = 0; r < right_count; r++) {
        kernels->widen(right + r * right_stride, dimension, wide);
        for (size_t l = 0; l < left_count; l += 4) {
            const float *four[4];
            double products[4];
            for (size_t i = 0; i < 4; i++) four[i] = left + (l + i < left_count ? l + i : l) * left_stride;
            kernels->dots(four, four, wide, dimension, products);
            for (size_t i = l; i < left_count && i < l + 4; i++) {
                const int void_pair = !(left_norms[i] > 0 && right_norms[r] > 0);
                out[i * right_count + r] = void_pair ? 0 : knot_cosine(products[i - l], left_norms[i], right_norms[r]);
            }
        }
    }
}

typedef float four_floats __attribute__((vector_size(16), aligned(4)));

/// Rows beside one another: packed[i * lanes + row] = row i. Four by four, so that neither side is read or written singly.
static void pack(const float *rows, size_t stride, size_t count, size_t dimension, float *packed, size_t lanes) {
    static const float none[4] = {0};
    for (size_t first = 0; first < lanes; first += 4) {
        size_t i = 0;
        for (; i + 4 <= dimension; i += 4) {
            four_floats x[4];
            for (size_t j = 0; j < 4; j++)
                x[j] = *(const four_floats *)(first + j < count ? rows + (first + j) * stride + i : none);
            const four_floats a = __builtin_shufflevector(x[0], x[1], 0, 4, 1, 5), b = __builtin_shufflevector(x[2], x[3], 0, 4, 1, 5);
            const four_floats c = __builtin_shufflevector(x[0], x[1], 2, 6, 3, 7), d = __builtin_shufflevector(x[2], x[3], 2, 6, 3, 7);
            float *out = packed + i * lanes + first;
            *(four_floats *)out = __builtin_shufflevector(a, b, 0, 1, 4, 5);
            *(four_floats *)(out + lanes) = __builtin_shufflevector(a, b, 2, 3, 6, 7);
            *(four_floats *)(out + 2 * lanes) = __builtin_shufflevector(c, d, 0, 1, 4, 5);
            *(four_floats *)(out + 3 * lanes) = __builtin_shufflevector(c, d, 2, 3, 6, 7);
        }
        for (; i < dimension; i++)
            for (size_t j = 0; j < 4; j++)
                packed[i * lanes + first + j] = first + j < count ? rows[(first + j) * stride + i] : 0;
    }
}

typedef struct {
    const float *values;
    size_t stride;
    size_t count;
} side;

/// Without tiles: canonical products, rounded.
static void plain_products(const knot_kernels *kernels, side left, side right, size_t dimension, float *out, size_t out_stride) {
    double wide[KNOT_MAX_DIMENSION];
    for (size_t r = 0; r < right.count; r++) {
        kernels->widen(right.values + r * right.stride, dimension, wide);
        for (size_t l = 0; l < left.count; l += 4) {
            const float *four[4];
            double products[4];
            for (size_t i = 0; i < 4; i++) four[i] = left.values + (l + i < left.count ? l + i : l) * left.stride;
            kernels->dots(four, four, wide, dimension, products);
            for (size_t i = l; i < left.count && i < l + 4; i++) out[i * out_stride + r] = (float)products[i - l];
        }
    }
}

/// The right side cut into groups: whole tiles wide, then perhaps half a tile, then perhaps a few columns unpacked.
typedef struct {
    size_t dimension, lanes, tiles, strips, narrow;
    const float *packed;
    const float *columns[KNOT_MAX_NARROW_COLUMNS];
} groups;

static void tile_rows(
    const knot_kernels *kernels, const groups *right, const float *rows, size_t stride, const float *ahead, float *out, size_t out_stride) {
    const size_t size = right->dimension * right->lanes, half = right->lanes / 2;
    for (size_t g = 0; g < right->tiles; g++)
        kernels->product_tile(
            rows, stride, right->packed + g * size, right->dimension, g == 0 ? ahead : rows, out + g * right->lanes, out_stride);
    float *rest = out + right->tiles * right->lanes;
    if (right->strips) kernels->product_strip(rows, stride, right->packed + right->tiles * size, right->dimension, rest, out_stride);
    if (!right->narrow) return;
    rest += right->strips * half;
    for (size_t r = 0; r < kernels->tile_rows; r += kernels->narrow_rows) {
        float sums[KNOT_MAX_TILE_ROWS * KNOT_MAX_NARROW_COLUMNS];
        kernels->product_narrow(rows + r * stride, stride, right->columns, right->dimension, sums, KNOT_MAX_NARROW_COLUMNS);
        for (size_t i = 0; i < kernels->narrow_rows; i++)
            memcpy(rest + (r + i) * out_stride, sums + i * KNOT_MAX_NARROW_COLUMNS, right->narrow * sizeof(float));
    }
}

static int tiled_products(const knot_kernels *kernels, side left, side right, size_t dimension, float *out, size_t out_stride) {
    const size_t lanes = kernels->tile_lanes, height = kernels->tile_rows;
    groups cut = {.dimension = dimension, .lanes = lanes, .tiles = right.count / lanes};
    size_t rest = right.count % lanes;
    if (rest > lanes / 2 + kernels->narrow_columns) cut.tiles++, rest = 0;
    if (rest > kernels->narrow_columns) cut.strips = 1, rest = rest > lanes / 2 ? rest - lanes / 2 : 0;
    cut.narrow = rest;
    const size_t packed = (cut.tiles * lanes + cut.strips * lanes / 2) * dimension;
    // What a last, incomplete tile of rows reads and writes: its own rows and sums, with room for whole groups.
    const size_t width = knot_round_up(right.count, lanes);
    float *memory = aligned_alloc(64, knot_round_up((packed + height * (dimension + width)) * sizeof(float), 64));
    if (!memory) return KNOT_OUT_OF_MEMORY;
    float *rows = memory + packed, *sums = rows + height * dimension;
    cut.packed = memory;
    for (size_t g = 0; g < cut.tiles + cut.strips; g++) {
        const size_t first = g * lanes, as_wide = g < cut.tiles ? lanes : lanes / 2;
        const size_t columns = right.count - first < as_wide ? right.count - first : as_wide;
        pack(right.values + first * right.stride, right.stride, columns, dimension, memory + g * lanes * dimension, as_wide);
    }
    for (size_t c = 0; c < KNOT_MAX_NARROW_COLUMNS; c++)
        cut.columns[c] = right.values + (right.count - (c < cut.narrow ? cut.narrow - c : 1)) * right.stride;
    // Where the last group is wider than what is left of the right side, sums go through room of their own.
    const int direct = cut.tiles * lanes + cut.strips * (lanes / 2) + cut.narrow == right.count;
    for (size_t l = 0; l < left.count; l += height) {
        const float *tile = left.values + l * left.stride;
        const size_t count = left.count - l < height ? left.count - l : height;
        if (count == height && direct) {
            const float *ahead = l + 2 * height <= left.count ? tile + height * left.stride : tile;
            tile_rows(kernels, &cut, tile, left.stride, ahead, out + l * out_stride, out_stride);
            continue;
        }
        memset(rows, 0, height * dimension * sizeof(float));
        for (size_t i = 0; i < count; i++) memcpy(rows + i * dimension, tile + i * left.stride, dimension * sizeof(float));
        tile_rows(kernels, &cut, rows, dimension, rows, sums, width);
        for (size_t i = 0; i < count; i++) memcpy(out + (l + i) * out_stride, sums + i * width, right.count * sizeof(float));
    }
    free(memory);
    return KNOT_OK;
}

int knot_products(
    const knot_kernels *kernels, const float *left, size_t left_stride, size_t left_count, const float *right,
    size_t right_stride, size_t right_count, size_t dimension, float *out, size_t out_stride) {
    if (dimension > KNOT_MAX_DIMENSION) return KNOT_BAD_REQUEST;
    if (left_count == 0 || right_count == 0) return KNOT_OK;
    const side rows = {left, left_stride, left_count}, columns = {right, right_stride, right_count};
    if (kernels->product_tile) return tiled_products(kernels, rows, columns, dimension, out, out_stride);
    plain_products(kernels, rows, columns, dimension, out, out_stride);
    return KNOT_OK;
}
