/// Runs the layers of an encoder: what is done in which order, with the functions of one CPU kind.
///
/// A layer takes the texts in *blocks*, as many whole texts as have KNOT_ENCODER_BLOCK_TOKENS tokens together (or one
/// longer text): a block's states stay in the second-level cache from the layer's first matrix to its last, and each
/// matrix is read once for each block. Layers are the outer loop, since all weights together are larger than a cache.
///
/// In bytes, the rows that go into a matrix are coded just before, each row with a range of its own (knot_byte_range);
/// sums of products are whole numbers, and all else (attention, norms, what is added) stays in single precision. The
/// vectors of MiniLM keep a cosine above 0.997 with those of single precision: on 1,519 texts of up to 256 tokens,
/// among them single signs, other scripts and random words, the least was 0.9973 and the median 0.9995.
#include <string.h>

#include "encoder_kernels.h"

static const knot_encoder_kernels *const tables[] = {
    &knot_encoder_scalar,
#if defined(__x86_64__)
    &knot_encoder_sse2, &knot_encoder_avx2, &knot_encoder_avx512, &knot_encoder_vnni,
#endif
};

const knot_encoder_kernels *knot_encoder_of(const knot_kernels *kernels) {
    const char *name = knot_kernels_name(kernels);
#if defined(__x86_64__)
    // AVX2's encoder has bytes where the CPU does; nothing else of the room is made for that.
    if (strcmp(name, "avx2") == 0 && __builtin_cpu_supports("avxvnni")) return &knot_encoder_avxvnni;
#endif
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i]->name, name) == 0) return tables[i];
    return &knot_encoder_scalar;
}

int knot_encoder_has(const knot_kernels *kernels, knot_encoder_precision precision) {
    if (precision == KNOT_ENCODER_BYTE) return knot_encoder_of(kernels)->is_fast_in_bytes;
    return precision == KNOT_ENCODER_FLOAT;
}

/// Scratch memory of a run, in bytes from its start.
typedef struct {
    size_t attended, wide, context, attention, codes, ranges;
    size_t bytes;
} knot_scratch_place;

static size_t place(size_t *at, size_t bytes) {
    const size_t start = *at;
    *at = knot_round_up(start + bytes, 64);
    return start;
}

static knot_scratch_place place_scratch(
    const knot_encoder_kernels *with, const knot_encoder_shape *shape, knot_encoder_precision precision, size_t tokens,
    size_t longest) {
    size_t rows = longest > KNOT_ENCODER_BLOCK_TOKENS ? longest : KNOT_ENCODER_BLOCK_TOKENS;
    if (rows > tokens) rows = tokens;
    const size_t hidden = shape->hidden, wide = hidden > shape->intermediate ? hidden : shape->intermediate;
    knot_scratch_place found = {0};
    size_t at = 0;
    // What attention reads and makes is done with before the intermediate rows are made.
    found.attended = found.wide = place(&at, rows * 3 * hidden * sizeof(float));
    found.context = place(&at, rows * hidden * sizeof(float));
    const size_t intermediate = rows * shape->intermediate * sizeof(float);
    if (at < intermediate) at = knot_round_up(intermediate, 64);
    const size_t attention = knot_attention_floats(longest, hidden / shape->heads, KNOT_ENCODER_LANES);
    found.attention = place(&at, attention * sizeof(float));
    if (precision == KNOT_ENCODER_BYTE && with->byte_lanes) {
        found.codes = place(&at, rows * wide);
        found.ranges = place(&at, rows * sizeof(knot_byte_range));
    }
    found.bytes = at;
    return found;
}

size_t knot_encoder_scratch(
    const knot_kernels *kernels, const knot_encoder_shape *shape, knot_encoder_precision precision, size_t tokens,
    size_t longest) {
    return place_scratch(knot_encoder_of(kernels), shape, precision, tokens, longest).bytes;
}

/// What one layer of a run works with.
typedef struct {
    const knot_encoder_kernels *with;
    const knot_encoder_shape *shape;
    knot_encoder_precision precision;
    const char *weights;
    const knot_layer_place *place;
    char *scratch;
    const knot_scratch_place *room;
} knot_layer_run;

static void multiply(
    const knot_layer_run *run, const knot_matrix_place *matrix, const float *rows, size_t count, knot_then then,
    float *out) {
    const knot_linear layer = {
        .inputs = matrix->inputs, .outputs = matrix->outputs, .panels = run->weights + matrix->panels,
        .bias = (const float *)(const void *)(run->weights + matrix->bias),
        .scales = (const float *)(const void *)(run->weights + matrix->scales),
        .sums = (const float *)(const void *)(run->weights + matrix->sums),
        .strays = (const knot_strays *)(const void *)(run->weights + matrix->strays),
    };
    if (run->precision == KNOT_ENCODER_FLOAT) {
        run->with->linear(&layer, rows, count, then, out);
        return;
    }
    uint8_t *codes = (uint8_t *)run->scratch + run->room->codes;
    knot_byte_range *ranges = (knot_byte_range *)(void *)(run->scratch + run->room->ranges);
    run->with->to_bytes(rows, layer.inputs, count, codes, ranges);
    const knot_byte_rows coded = {.values = rows, .codes = codes, .ranges = ranges};
    run->with->byte_linear(&layer, &coded, count, then, out);
}

static void run_block(const knot_layer_run *run, float *states, const uint32_t *starts, size_t texts) {
    const knot_layer_place *place = run->place;
    const size_t hidden = run->shape->hidden, count = starts[texts] - starts[0];
    float *attended = (float *)(void *)(run->scratch + run->room->attended);
    float *context = (float *)(void *)(run->scratch + run->room->context);
    float *wide = (float *)(void *)(run->scratch + run->room->wide);
    multiply(run, &place->attention, states, count, KNOT_THEN_NOTHING, attended);
    for (size_t t = 0; t < texts; t++) {
        const size_t first = starts[t] - starts[0];
        const knot_attended text = {
            .states = attended + first * 3 * hidden, .count = starts[t + 1] - starts[t], .hidden = hidden,
            .heads = run->shape->heads,
        };
        if (text.count > 0) run->with->attend(&text, context + first * hidden, run->scratch + run->room->attention);
    }
    const char *weights = run->weights;
    multiply(run, &place->output, context, count, KNOT_THEN_ADD, states);
    run->with->norm(
        states, hidden, count, run->shape->epsilon, (const float *)(const void *)(weights + place->output_norm),
        (const float *)(const void *)(weights + place->output_norm_bias));
    multiply(run, &place->up, states, count, KNOT_THEN_GELU, wide);
    multiply(run, &place->down, wide, count, KNOT_THEN_ADD, states);
    run->with->norm(
        states, hidden, count, run->shape->epsilon, (const float *)(const void *)(weights + place->final_norm),
        (const float *)(const void *)(weights + place->final_norm_bias));
}

void knot_encoder_run(
    const knot_kernels *kernels, const knot_encoder_shape *shape, knot_encoder_precision precision, const void *memory,
    float *states, const uint32_t *starts, size_t texts, void *scratch) {
    const knot_encoder_kernels *with = knot_encoder_of(kernels);
    knot_layer_place layer;
    if (texts == 0 || !knot_place_layer(with, shape, precision, &layer)) return;
    size_t longest = 0;
    for (size_t t = 0; t < texts; t++)
        if (starts[t + 1] - starts[t] > longest) longest = starts[t + 1] - starts[t];
    const knot_scratch_place room = place_scratch(with, shape, precision, starts[texts] - starts[0], longest);
    for (uint32_t l = 0; l < shape->layers; l++) {
        const knot_layer_run run = {
            .with = with, .shape = shape, .precision = precision, .weights = (const char *)memory + l * layer.bytes,
            .place = &layer, .scratch = scratch, .room = &room,
        };
        for (size_t first = 0, end; first < texts; first = end) {
            for (end = first + 1; end < texts && starts[end + 1] - starts[first] <= KNOT_ENCODER_BLOCK_TOKENS;) end++;
            float *block = states + (size_t)(starts[first] - starts[0]) * shape->hidden;
            if (starts[end] > starts[first]) run_block(&run, block, starts + first, end - first);
        }
    }
}

void knot_encoder_embed(
    const knot_kernels *kernels, const knot_encoder_shape *shape, const float *words, const float *positions,
    const float *kind, const float *norm, const float *norm_bias, const uint32_t *ids, const uint32_t *places,
    size_t tokens, float *states) {
    const size_t hidden = shape->hidden;
    for (size_t t = 0; t < tokens; t++) {
        const float *word = words + ids[t] * hidden, *position = positions + places[t] * hidden;
        float *state = states + t * hidden;
        for (size_t i = 0; i < hidden; i++) state[i] = word[i] + kind[i] + position[i];
    }
    knot_encoder_of(kernels)->norm(states, hidden, tokens, shape->epsilon, norm, norm_bias);
}
