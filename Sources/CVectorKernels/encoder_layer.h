/// Attention and layer norm in single precision: included by each variant's file of the encoder after encoder_linear.h.
///
/// Attention takes one text and one head at a time. Keys are packed as a linear layer's panels are, a lane for each
/// key; values likewise, a lane for each of the head's numbers. So scores and their weighted values come from the same
/// tiles as the linear layers. Scores of a tile of queries are made for all keys, then turned into powers of two (the
/// queries hold log2(e)/√head already); what they add up to divides the result, not each of them.

typedef float knot_four __attribute__((vector_size(16), aligned(4)));

/// Lanes of the panel that starts at `first` of `count`: a half panel if that is enough.
KNOT_INLINE size_t knot_panel_lanes(size_t first, size_t count) {
    return count - first <= KNOT_HALF_LANES ? KNOT_HALF_LANES : KNOT_LANES;
}

/// One panel of keys: four tokens by four numbers are turned at a time. Lanes past the last token repeat it; their
/// scores are not looked at.
KNOT_INLINE void knot_turn_keys(
    const float *keys, size_t stride, size_t count, size_t size, size_t lanes, float *panel) {
    for (size_t j = 0; j < lanes; j += 4) {
        const float *rows[4];
        for (size_t r = 0; r < 4; r++) rows[r] = keys + (j + r < count ? j + r : count - 1) * stride;
        for (size_t i = 0; i < size; i += 4) {
            const knot_four a = *(const knot_four *)(rows[0] + i), b = *(const knot_four *)(rows[1] + i);
            const knot_four c = *(const knot_four *)(rows[2] + i), d = *(const knot_four *)(rows[3] + i);
            const knot_four low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
            const knot_four high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
            const knot_four later_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
            const knot_four later_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
            float *to = panel + i * lanes + j;
            *(knot_four *)to = __builtin_shufflevector(low, later_low, 0, 1, 4, 5);
            *(knot_four *)(to + lanes) = __builtin_shufflevector(low, later_low, 2, 3, 6, 7);
            *(knot_four *)(to + 2 * lanes) = __builtin_shufflevector(high, later_high, 0, 1, 4, 5);
            *(knot_four *)(to + 3 * lanes) = __builtin_shufflevector(high, later_high, 2, 3, 6, 7);
        }
    }
}

static void knot_pack_head(const knot_attended *text, size_t head, float *keys, float *values) {
    const size_t size = text->hidden / text->heads, stride = 3 * text->hidden, count = text->count;
    const float *key = text->states + text->hidden + head * size, *value = key + text->hidden;
    for (size_t first = 0; first < count; first += KNOT_LANES) {
        const size_t lanes = knot_panel_lanes(first, count);
        float *panel = keys + first * size;
        if (lanes == KNOT_LANES) knot_turn_keys(key + first * stride, stride, count - first, size, KNOT_LANES, panel);
        else knot_turn_keys(key + first * stride, stride, count - first, size, KNOT_HALF_LANES, panel);
    }
    for (size_t first = 0; first < size; first += KNOT_LANES) {
        const size_t lanes = knot_panel_lanes(first, size);
        float *to = values + first * count;
        for (size_t token = 0; token < count; token++, to += lanes)
            for (size_t i = 0; i < lanes; i += KNOT_FLOATS)
                knot_store(to + i, knot_load(value + token * stride + first + i));
    }
}

/// Scores of one query to powers of two; returns one over their sum.
KNOT_INLINE float knot_softmax(float *scores, size_t count, size_t wide) {
    for (size_t i = count; i < wide; i++) scores[i] = -INFINITY;
    knot_floats most = knot_load(scores);
    for (size_t i = KNOT_FLOATS; i < wide; i += KNOT_FLOATS) most = knot_greater(most, knot_load(scores + i));
    const float top = knot_most(most);
    knot_floats sum = {0};
    for (size_t i = 0; i < wide; i += KNOT_FLOATS) {
        const knot_floats power = knot_power(knot_load(scores + i) - top);
        sum += power;
        knot_store(scores + i, power);
    }
    return 1 / knot_sum(sum);
}

static void knot_encoder_attend(const knot_attended *text, float *out, void *scratch) {
    const size_t size = text->hidden / text->heads, stride = 3 * text->hidden, count = text->count;
    const size_t wide = knot_round_up(count, KNOT_HALF_LANES);
    float *keys = scratch, *values = keys + wide * size, *scores = values + count * size;
    float *tile = scores + KNOT_TILE_ROWS * wide;
    for (size_t head = 0; head < text->heads; head++) {
        knot_pack_head(text, head, keys, values);
        for (size_t row = 0, height; row < count; row += height) {
            height = knot_next_height(count - row, KNOT_TILE_ROWS);
            const knot_sums_function sums = knot_sums_of[height], half_sums = knot_half_sums_of[height];
            const float *queries = text->states + row * stride + head * size;
            for (size_t first = 0; first < wide; first += KNOT_LANES)
                (knot_panel_lanes(first, count) == KNOT_LANES ? sums : half_sums)(
                    queries, stride, keys + first * size, size, (const char *)keys, scores + first, wide);
            float shares[KNOT_TILE_ROWS];
            for (size_t r = 0; r < height; r++) shares[r] = knot_softmax(scores + r * wide, count, wide);
            for (size_t first = 0; first < size; first += KNOT_LANES) {
                const size_t width = knot_panel_lanes(first, size);
                (width == KNOT_LANES ? sums : half_sums)(
                    scores, wide, values + first * count, count, (const char *)values, tile, KNOT_LANES);
                for (size_t r = 0; r < height; r++) {
                    float *to = out + (row + r) * text->hidden + head * size + first;
                    for (size_t c = 0; c < width; c += KNOT_FLOATS)
                        knot_store(to + c, knot_load(tile + r * KNOT_LANES + c) * shares[r]);
                }
            }
        }
    }
}

static void knot_encoder_norm(
    float *rows, size_t width, size_t count, float epsilon, const float *norm, const float *bias) {
    for (; count > 0; count--, rows += width) {
        knot_floats sum = {0}, squares = {0};
        for (size_t i = 0; i < width; i += KNOT_FLOATS) sum += knot_load(rows + i);
        const float mean = knot_sum(sum) / (float)width;
        for (size_t i = 0; i < width; i += KNOT_FLOATS) {
            const knot_floats x = knot_load(rows + i) - mean;
            squares += x * x;
        }
        const float scale = 1 / sqrtf(knot_sum(squares) / (float)width + epsilon);
        for (size_t i = 0; i < width; i += KNOT_FLOATS)
            knot_store(rows + i, (knot_load(rows + i) - mean) * scale * knot_load(norm + i) + knot_load(bias + i));
    }
}
