/// Linear layers in bytes: included after encoder_layer.h by the files of the encoder whose CPU multiplies bytes. They
/// define KNOT_DOT(sums, codes, weights), which is `vpdpbusd` of one width.
///
/// It multiplies four unsigned bytes with four signed ones in each 32-bit lane and adds the lot: a row's codes are the
/// unsigned side, 0 for its least number and 255 for its greatest, weights the signed one. A row of numbers
/// low + step · code times an output's weights is step · (sum of codes · weights) + low · (sum of weights); the second
/// sum is known when the weights are packed. The row's one number outside its range and the weights left out of the
/// bytes (see knot_byte_range and knot_stray) are added in single precision. Tiles are as in encoder_linear.h, four
/// inputs a step.

typedef int32_t knot_ints __attribute__((vector_size(4 * KNOT_FLOATS), aligned(4)));
typedef uint8_t knot_bytes __attribute__((vector_size(KNOT_FLOATS), aligned(1)));

KNOT_INLINE void knot_byte_sums(
    const int height, const uint8_t *codes, const int8_t *panel, size_t inputs, const char *ahead, int32_t *out) {
    knot_ints sums[KNOT_TILE_ROWS][KNOT_TILE_VECTORS];
#pragma clang loop unroll(full)
    for (int r = 0; r < height; r++)
#pragma clang loop unroll(full)
        for (int v = 0; v < KNOT_TILE_VECTORS; v++) sums[r][v] = (knot_ints){0};
    const uint8_t *row[KNOT_TILE_ROWS];
#pragma clang loop unroll(full)
    for (int r = 0; r < height; r++) {
        row[r] = codes + (size_t)r * inputs;
        // The compiler would add up each row's address from the one before it in every step, an instruction for two products.
        __asm__("" : "+r"(row[r]));
    }
    for (size_t i = 0; i < inputs; i += KNOT_BYTE_GROUP) {
        knot_ints w[KNOT_TILE_VECTORS];
#pragma clang loop unroll(full)
        for (int v = 0; v < KNOT_TILE_VECTORS; v++)
            w[v] = *(const knot_ints *)(const void *)(panel + KNOT_LANES * i + (size_t)(4 * v * KNOT_FLOATS));
#pragma clang loop unroll(full)
        for (int r = 0; r < height; r++) {
            int32_t four;
            memcpy(&four, row[r] + i, sizeof four);
            const knot_ints x = (knot_ints){0} + four;
#pragma clang loop unroll(full)
            for (int v = 0; v < KNOT_TILE_VECTORS; v++) sums[r][v] = KNOT_DOT(sums[r][v], x, w[v]);
        }
#pragma clang loop unroll(full)
        for (size_t near = 0; near < KNOT_LANES * sizeof(float); near += 64)
            __builtin_prefetch(ahead + KNOT_LANES * i + near, 0, 2);
    }
#pragma clang loop unroll(full)
    for (int r = 0; r < height; r++)
#pragma clang loop unroll(full)
        for (int v = 0; v < KNOT_TILE_VECTORS; v++) *(knot_ints *)(out + r * KNOT_LANES + v * KNOT_FLOATS) = sums[r][v];
}

typedef void (*knot_byte_sums_function)(
    const uint8_t *codes, const int8_t *panel, size_t inputs, const char *ahead, int32_t *out);

#define KNOT_BYTE_SUMS(HEIGHT) \
    static void knot_byte_sums_##HEIGHT( \
        const uint8_t *codes, const int8_t *panel, size_t inputs, const char *ahead, int32_t *out) { \
        knot_byte_sums(HEIGHT, codes, panel, inputs, ahead, out); \
    }
KNOT_BYTE_SUMS(1)
KNOT_BYTE_SUMS(2)
KNOT_BYTE_SUMS(3)
KNOT_BYTE_SUMS(4)
KNOT_BYTE_SUMS(5)
KNOT_BYTE_SUMS(6)
#if KNOT_TILE_ROWS > 6
KNOT_BYTE_SUMS(7)
KNOT_BYTE_SUMS(8)
KNOT_BYTE_SUMS(9)
KNOT_BYTE_SUMS(10)
KNOT_BYTE_SUMS(11)
KNOT_BYTE_SUMS(12)
#endif

static const knot_byte_sums_function knot_byte_sums_of[KNOT_TILE_ROWS + 1] = KNOT_HEIGHTS(knot_byte_sums_);

/// What an input's weights are in a panel, for the outputs of one register from `lane` on.
KNOT_INLINE knot_floats knot_panel_weights(const int8_t *panel, size_t input, size_t lane) {
    const size_t group = input / KNOT_BYTE_GROUP * KNOT_BYTE_GROUP;
    const knot_words four = *(const knot_words *)(const void *)(panel + KNOT_LANES * group + 4 * lane);
    const uint32_t up = 24 - 8 * (uint32_t)(input - group);
    return __builtin_convertvector((knot_ints)(four << up) >> 24, knot_floats);
}

/// Adds up what the panel's strays give; returns the first stray past the panel.
static uint32_t knot_add_strays(
    const knot_linear *layer, uint32_t stray, size_t first, const float *rows, size_t height, float *sums) {
    for (size_t i = 0; i < height * KNOT_LANES; i++) sums[i] = 0;
    for (; stray < layer->strays->count && layer->strays->all[stray].output < first + KNOT_LANES; stray++) {
        const knot_stray found = layer->strays->all[stray];
        for (size_t r = 0; r < height; r++)
            sums[r * KNOT_LANES + found.output - first] += found.weight * rows[r * layer->inputs + found.input];
    }
    return stray;
}

/// What a tile of sums becomes: `first` is its first output, `row` its first row.
typedef struct {
    const knot_linear *layer;
    const knot_byte_rows *rows;
    const int8_t *panel;
    const int32_t *sums;
    const float *stray_sums;  ///< NULL: the panel has none
    size_t first, row, height;
} knot_byte_tile;

KNOT_INLINE void knot_finish_bytes(const knot_byte_tile *tile, size_t width, const knot_then then, float *out) {
    const knot_linear *layer = tile->layer;
    for (size_t r = 0; r < tile->height; r++) {
        const knot_byte_range range = tile->rows->ranges[tile->row + r];
        float *to = out + (tile->row + r) * layer->outputs + tile->first;
        for (size_t c = 0; c < width; c += KNOT_FLOATS) {
            const knot_ints whole = *(const knot_ints *)(tile->sums + r * KNOT_LANES + c);
            const knot_floats sums = __builtin_convertvector(whole, knot_floats);
            const knot_floats more = range.excess * knot_panel_weights(tile->panel, range.place, c);
            const size_t at = tile->first + c;
            knot_floats x = range.low * knot_load(layer->sums + at) + knot_load(layer->bias + at);
            x += (sums * range.step + more) * knot_load(layer->scales + at);
            if (tile->stray_sums) x += knot_load(tile->stray_sums + r * KNOT_LANES + c);
            if (then == KNOT_THEN_GELU) x = knot_gelu(x);
            if (then == KNOT_THEN_ADD) x += knot_load(to + c);
            knot_store(to + c, x);
        }
    }
}

static void knot_encoder_byte_linear(
    const knot_linear *layer, const knot_byte_rows *rows, size_t count, knot_then then, float *out) {
    int32_t sums[KNOT_TILE_ROWS * KNOT_LANES];
    float stray_sums[KNOT_TILE_ROWS * KNOT_LANES];
    const int8_t *panel = layer->panels;
    uint32_t stray = 0, next = 0;
    for (size_t first = 0; first < layer->outputs; first += KNOT_LANES, panel += KNOT_LANES * layer->inputs) {
        const size_t left = layer->outputs - first, width = left < KNOT_LANES ? left : KNOT_LANES;
        stray = next;
        const int strays = stray < layer->strays->count && layer->strays->all[stray].output < first + KNOT_LANES;
        for (size_t row = 0, height; row < count; row += height) {
            height = knot_next_height(count - row, KNOT_TILE_ROWS);
            const char *ahead = knot_ahead(panel, KNOT_LANES * layer->inputs, row);
            knot_byte_sums_of[height](rows->codes + row * layer->inputs, panel, layer->inputs, ahead, sums);
            if (strays)
                next = knot_add_strays(layer, stray, first, rows->values + row * layer->inputs, height, stray_sums);
            const knot_byte_tile tile = {
                .layer = layer, .rows = rows, .panel = panel, .sums = sums, .stray_sums = strays ? stray_sums : NULL,
                .first = first, .row = row, .height = height,
            };
            switch (then) {
            case KNOT_THEN_NOTHING: knot_finish_bytes(&tile, width, KNOT_THEN_NOTHING, out); break;
            case KNOT_THEN_GELU: knot_finish_bytes(&tile, width, KNOT_THEN_GELU, out); break;
            case KNOT_THEN_ADD: knot_finish_bytes(&tile, width, KNOT_THEN_ADD, out); break;
            }
        }
    }
}

/// A row's range without its number furthest from zero, and where that is. Each lane keeps its two greatest and its two
/// least numbers, so that one reading is enough.
KNOT_INLINE uint32_t knot_range_of(const float *row, size_t width, float *low, float *high) {
    const knot_floats up = knot_all(INFINITY), down = knot_all(-INFINITY);
    knot_floats most = down, second = down, least = up, second_least = up;
    for (size_t i = 0; i < width; i += KNOT_FLOATS) {
        const knot_floats x = knot_load(row + i);
        second = knot_greater(knot_lesser(x, most), second);
        most = knot_greater(x, most);
        second_least = knot_lesser(knot_greater(x, least), second_least);
        least = knot_lesser(x, least);
    }
    *low = -knot_most(-least);
    *high = knot_most(most);
    const int is_high = *high >= -*low;
    const float furthest = is_high ? *high : *low;
    const knot_floats ends = is_high ? most : least;
    uint32_t lane = 0;
    while (lane < KNOT_FLOATS && ends[lane] != furthest) lane++;
    // Only a row that is not finite has none.
    if (lane == KNOT_FLOATS) return 0;
    if (is_high) {
        most[lane] = second[lane];
        *high = knot_most(most);
    } else {
        least[lane] = second_least[lane];
        *low = -knot_most(-least);
    }
    for (uint32_t i = lane; i < width; i += KNOT_FLOATS)
        if (row[i] == furthest) return i;
    return 0;
}

static void knot_encoder_to_bytes(
    const float *rows, size_t width, size_t count, uint8_t *codes, knot_byte_range *ranges) {
    for (size_t r = 0; r < count; r++, rows += width, codes += width) {
        float low, high;
        const uint32_t furthest = knot_range_of(rows, width, &low, &high);
        const float inverse = high > low ? 255 / (high - low) : 0;
        for (size_t i = 0; i < width; i += KNOT_FLOATS) {
            const knot_floats x = (knot_load(rows + i) - low) * inverse;
            const knot_floats code = knot_lesser(knot_greater(x, knot_all(0)), knot_all(255));
            // Adding 1.5 · 2^23 rounds to a whole number and leaves it in the lowest bits.
            const knot_words bits = (knot_words)(code + 12582912.0f) & 255;
            *(knot_bytes *)(codes + i) = __builtin_convertvector(bits, knot_bytes);
        }
        const float step = (high - low) / 255, coded = low + step * codes[furthest];
        ranges[r] = (knot_byte_range){low, step, rows[furthest] - coded, furthest};
    }
}

/// The entries of a variant's table that multiplies in bytes: included after the floats' headers.
#define KNOT_BYTE_ENCODER \
    .lanes = KNOT_LANES, .byte_lanes = KNOT_LANES, .is_fast_in_bytes = 1, .folds_factor = 1, \
    .linear = knot_encoder_linear, .byte_linear = knot_encoder_byte_linear, .to_bytes = knot_encoder_to_bytes, \
    .attend = knot_encoder_attend, .norm = knot_encoder_norm
