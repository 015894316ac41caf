/// Single-precision tiles: included by each variant's file, which sets the target, KNOT_FLOATS (floats in a register),
/// KNOT_TILE_ROWS, KNOT_TILE_VECTORS and KNOT_MASK (one bit for each lane of a comparison).
///
/// A tile is the products of a few rows with a few queries. The queries lie packed, all lanes' first element, then all
/// lanes' second …, so a lane of a register is a query; a row's element is broadcast to all lanes. Every sum lives in a
/// register of its own from the first element to the last, so a step costs one load for each row and each register of
/// queries, and ROWS × VECTORS multiply-adds: the multipliers are the limit, not the loads. Comparing with the bars is one
/// instruction for a whole register of sums.
#define KNOT_TILE_LANES (KNOT_TILE_VECTORS * KNOT_FLOATS)

typedef float knot_floats __attribute__((vector_size(4 * KNOT_FLOATS), aligned(4)));
typedef int32_t knot_flags __attribute__((vector_size(4 * KNOT_FLOATS), aligned(4)));

static inline __attribute__((always_inline)) void knot_tile_sums(
    const float *rows, size_t stride, const float *packed, size_t dimension, const char *ahead,
    knot_floats sums[KNOT_TILE_ROWS][KNOT_TILE_VECTORS]) {
#pragma clang loop unroll(full)
    for (int r = 0; r < KNOT_TILE_ROWS; r++)
#pragma clang loop unroll(full)
        for (int v = 0; v < KNOT_TILE_VECTORS; v++) sums[r][v] = (knot_floats){0};
    for (size_t i = 0; i < dimension; i++) {
        knot_floats q[KNOT_TILE_VECTORS];
#pragma clang loop unroll(full)
        for (int v = 0; v < KNOT_TILE_VECTORS; v++)
            q[v] = *(const knot_floats *)(packed + i * KNOT_TILE_LANES + (size_t)v * KNOT_FLOATS);
#pragma clang loop unroll(full)
        for (int r = 0; r < KNOT_TILE_ROWS; r++) {
            const float x = rows[(size_t)r * stride + i];
#pragma clang loop unroll(full)
            for (int v = 0; v < KNOT_TILE_VECTORS; v++) sums[r][v] += q[v] * x;
        }
        // The packed queries follow one another and are fetched unasked. Of what comes later, a step asks for as many bytes
        // as it has read of its own rows.
        __builtin_prefetch(ahead + i * (KNOT_TILE_ROWS * sizeof(float)), 0, 2);
    }
}

static void knot_product_tile(
    const float *rows, size_t stride, const float *packed, size_t dimension, const void *ahead, float *out,
    size_t out_stride) {
    knot_floats sums[KNOT_TILE_ROWS][KNOT_TILE_VECTORS];
    knot_tile_sums(rows, stride, packed, dimension, ahead, sums);
#pragma clang loop unroll(full)
    for (int r = 0; r < KNOT_TILE_ROWS; r++)
#pragma clang loop unroll(full)
        for (int v = 0; v < KNOT_TILE_VECTORS; v++)
            *(knot_floats *)(out + (size_t)r * out_stride + (size_t)v * KNOT_FLOATS) = sums[r][v];
}

/// Half as wide, for a last group of few columns: one register of columns, and so many more rows would not fill the
/// pipelines better than these already do.
static void knot_product_strip(
    const float *rows, size_t stride, const float *packed, size_t dimension, float *out, size_t out_stride) {
    knot_floats sums[KNOT_TILE_ROWS];
#pragma clang loop unroll(full)
    for (int r = 0; r < KNOT_TILE_ROWS; r++) sums[r] = (knot_floats){0};
    for (size_t i = 0; i < dimension; i++) {
        const knot_floats q = *(const knot_floats *)(packed + i * KNOT_FLOATS);
#pragma clang loop unroll(full)
        for (int r = 0; r < KNOT_TILE_ROWS; r++) sums[r] += q * rows[(size_t)r * stride + i];
    }
#pragma clang loop unroll(full)
    for (int r = 0; r < KNOT_TILE_ROWS; r++) *(knot_floats *)(out + (size_t)r * out_stride) = sums[r];
}

/// A few columns: packing them would leave most lanes idle, so here lanes run along the rows and are added up at the end.
static void knot_product_narrow(
    const float *rows, size_t stride, const float *const *columns, size_t dimension, float *out, size_t out_stride) {
    knot_floats sums[KNOT_NARROW_ROWS][KNOT_NARROW_COLUMNS] = {0};
    const size_t whole = dimension / KNOT_FLOATS * KNOT_FLOATS;
    for (size_t i = 0; i < whole; i += KNOT_FLOATS) {
        knot_floats x[KNOT_NARROW_ROWS];
#pragma clang loop unroll(full)
        for (int r = 0; r < KNOT_NARROW_ROWS; r++) x[r] = *(const knot_floats *)(rows + (size_t)r * stride + i);
#pragma clang loop unroll(full)
        for (int c = 0; c < KNOT_NARROW_COLUMNS; c++) {
            const knot_floats y = *(const knot_floats *)(columns[c] + i);
#pragma clang loop unroll(full)
            for (int r = 0; r < KNOT_NARROW_ROWS; r++) sums[r][c] += x[r] * y;
        }
    }
#pragma clang loop unroll(full)
    for (int r = 0; r < KNOT_NARROW_ROWS; r++)
#pragma clang loop unroll(full)
        for (int c = 0; c < KNOT_NARROW_COLUMNS; c++) {
            float lanes[KNOT_FLOATS];
            for (int j = 0; j < KNOT_FLOATS; j++) lanes[j] = sums[r][c][j];
            for (int apart = KNOT_FLOATS / 2; apart > 0; apart /= 2)
                for (int j = 0; j < apart; j++) lanes[j] += lanes[j + apart];
            for (size_t i = whole; i < dimension; i++) lanes[0] += rows[(size_t)r * stride + i] * columns[c][i];
            out[(size_t)r * out_stride + (size_t)c] = lanes[0];
        }
}

static int knot_float_tile(const knot_tile_rows *rows, const knot_tile_queries *queries, knot_tile_hits *hits) {
    knot_floats sums[KNOT_TILE_ROWS][KNOT_TILE_VECTORS];
    knot_tile_sums(rows->rows, rows->stride / sizeof(float), queries->packed, queries->steps, rows->ahead, sums);
    knot_floats best[KNOT_TILE_VECTORS];
#pragma clang loop unroll(full)
    for (int v = 0; v < KNOT_TILE_VECTORS; v++) best[v] = (knot_floats){0} - INFINITY;
#pragma clang loop unroll(full)
    for (int r = 0; r < KNOT_TILE_ROWS; r++)
#pragma clang loop unroll(full)
        for (int v = 0; v < KNOT_TILE_VECTORS; v++) {
            sums[r][v] *= rows->scales[r];
            // A row's NaN is not above anything.
            const knot_flags above = sums[r][v] > best[v];
            best[v] = (knot_floats)((above & (knot_flags)sums[r][v]) | (~above & (knot_flags)best[v]));
        }
    knot_flags any = {0};
#pragma clang loop unroll(full)
    for (int v = 0; v < KNOT_TILE_VECTORS; v++) any |= best[v] >= *(const knot_floats *)(queries->bars + v * KNOT_FLOATS);
    if (!KNOT_MASK(any)) return 0;
    uint32_t met = 0;
#pragma clang loop unroll(full)
    for (int r = 0; r < KNOT_TILE_ROWS; r++) {
        hits->masks[r] = 0;
#pragma clang loop unroll(full)
        for (int v = 0; v < KNOT_TILE_VECTORS; v++) {
            *(knot_floats *)(hits->scores + r * KNOT_TILE_LANES + v * KNOT_FLOATS) = sums[r][v];
            const knot_flags above = sums[r][v] >= *(const knot_floats *)(queries->bars + v * KNOT_FLOATS);
            hits->masks[r] |= KNOT_MASK(above) << (v * KNOT_FLOATS);
        }
        met |= (uint32_t)(hits->masks[r] != 0) << r;
    }
    hits->rows = met;
    return 1;
}
