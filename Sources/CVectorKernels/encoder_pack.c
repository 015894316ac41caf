/// Packs an encoder's weights: panels of floats or bytes as encoder_kernels.h describes, biases and norms beside them.
///
/// Each output has its own scale in bytes, its largest weight being 127, so that no output's small weights suffer from
/// another's large ones. Nor do they suffer from a single large one of their own: a weight twelve times as large as its
/// output's weights are in the root mean square is a *stray*, of which a matrix has a handful if any.
#include <math.h>
#include <string.h>

#include "encoder_kernels.h"

/// Sums of products of bytes stay in 32 bits below this many inputs.
#define KNOT_MOST_INPUTS 32768
#define KNOT_MOST_HIDDEN 4096
#define KNOT_STRAY_FACTOR 12

static size_t place(size_t *at, size_t bytes) {
    const size_t start = *at;
    *at = knot_round_up(start + bytes, 64);
    return start;
}

static knot_matrix_place place_matrix(
    size_t *at, size_t outputs, size_t inputs, uint32_t lanes, knot_encoder_precision precision) {
    const size_t rounded = knot_round_up(outputs, lanes);
    const int is_byte = precision == KNOT_ENCODER_BYTE;
    knot_matrix_place found = {.inputs = inputs, .outputs = outputs};
    found.panels = place(at, rounded * inputs * (is_byte ? 1 : sizeof(float)));
    found.bias = place(at, rounded * sizeof(float));
    found.scales = place(at, is_byte ? rounded * sizeof(float) : 0);
    found.sums = place(at, is_byte ? rounded * sizeof(float) : 0);
    found.strays = place(at, is_byte ? sizeof(knot_strays) : 0);
    return found;
}

int knot_place_layer(
    const knot_encoder_kernels *with, const knot_encoder_shape *shape, knot_encoder_precision precision,
    knot_layer_place *layer) {
    const size_t hidden = shape->hidden, wide = shape->intermediate;
    if (hidden == 0 || shape->heads == 0 || wide == 0 || shape->layers == 0 || shape->layers > 1024) return 0;
    if (hidden % 16 || wide % 16 || hidden % shape->heads || hidden / shape->heads % 16) return 0;
    if (hidden > KNOT_MOST_HIDDEN || wide > KNOT_MOST_INPUTS || !(shape->epsilon >= 0)) return 0;
    if (precision != KNOT_ENCODER_FLOAT && precision != KNOT_ENCODER_BYTE) return 0;
    const uint32_t lanes = precision == KNOT_ENCODER_FLOAT ? with->lanes : with->byte_lanes;
    if (lanes == 0) return 0;
    size_t at = 0;
    layer->attention = place_matrix(&at, 3 * hidden, hidden, lanes, precision);
    layer->output = place_matrix(&at, hidden, hidden, lanes, precision);
    layer->up = place_matrix(&at, wide, hidden, lanes, precision);
    layer->down = place_matrix(&at, hidden, wide, lanes, precision);
    layer->output_norm = place(&at, hidden * sizeof(float));
    layer->output_norm_bias = place(&at, hidden * sizeof(float));
    layer->final_norm = place(&at, hidden * sizeof(float));
    layer->final_norm_bias = place(&at, hidden * sizeof(float));
    layer->bytes = at;
    return 1;
}

size_t knot_encoder_bytes(
    const knot_kernels *kernels, const knot_encoder_shape *shape, knot_encoder_precision precision) {
    knot_layer_place layer;
    return knot_place_layer(knot_encoder_of(kernels), shape, precision, &layer) ? layer.bytes * shape->layers : 0;
}

/// What is packed into which lanes.
typedef struct {
    const knot_encoder_kernels *with;
    knot_encoder_precision precision;
    char *memory;
} knot_packing;

static void pack_floats(
    const float *weights, size_t outputs, size_t inputs, size_t lanes, size_t first, float factor, float *panels) {
    for (size_t n = 0; n < outputs; n++) {
        float *to = panels + (first + n) / lanes * lanes * inputs + (first + n) % lanes;
        for (size_t i = 0; i < inputs; i++) to[i * lanes] = weights[n * inputs + i] * factor;
    }
}

/// The weights of an output above the limit that this returns are added to the strays, as long as there is room.
static float sort_out(const float *weights, size_t inputs, uint32_t output, float factor, knot_strays *strays) {
    // Sixteen sums, for the compiler keeps a single one in order.
    float squares[16] = {0}, square = 0;
    for (size_t i = 0; i < inputs; i += 16)
        for (size_t j = 0; j < 16; j++) squares[j] += weights[i + j] * weights[i + j];
    for (size_t j = 0; j < 16; j++) square += squares[j];
    const float limit = KNOT_STRAY_FACTOR * sqrtf(square / (float)inputs);
    uint32_t found = 0;
    for (size_t i = 0; i < inputs; i++) found += fabsf(weights[i]) > limit;
    if (found == 0 || found > KNOT_MOST_STRAYS - strays->count) return INFINITY;
    for (size_t i = 0; i < inputs; i++)
        if (fabsf(weights[i]) > limit)
            strays->all[strays->count++] = (knot_stray){output, (uint32_t)i, weights[i] * factor};
    return limit;
}

static float largest(const float *weights, size_t inputs, float limit) {
    float most[16] = {0};
    for (size_t i = 0; i < inputs; i += 16)
        for (size_t j = 0; j < 16; j++) {
            const float size = fabsf(weights[i + j]), kept = size <= limit ? size : 0;
            most[j] = kept > most[j] ? kept : most[j];
        }
    for (size_t j = 1; j < 16; j++) most[0] = most[j] > most[0] ? most[j] : most[0];
    return most[0];
}

/// One output's weights up to the limit in bytes, scattered into its lane; returns the scale.
static float pack_bytes(const float *weights, size_t inputs, float limit, size_t lanes, int8_t *lane, int32_t *sum) {
    const float most = largest(weights, inputs, limit), scale = most / 127, inverse = most > 0 ? 127 / most : 0;
    int32_t total = 0;
    for (size_t first = 0; first < inputs; first += 16) {
        int8_t codes[16];
        for (size_t j = 0; j < 16; j++) {
            const float weight = weights[first + j], kept = fabsf(weight) <= limit ? weight : 0;
            // Adding 1.5 · 2^23 rounds to a whole number and leaves it in the lowest bits, whatever the weight is.
            const float shifted = kept * inverse + 12582912.0f;
            uint32_t bits;
            memcpy(&bits, &shifted, sizeof bits);
            codes[j] = (int8_t)(uint8_t)bits;
            total += codes[j];
        }
        for (size_t g = 0; g < 16; g += KNOT_BYTE_GROUP) memcpy(lane + (first + g) * lanes, codes + g, KNOT_BYTE_GROUP);
    }
    *sum = total;
    return scale;
}

/// Rows `first` on of a matrix.
static void pack(
    const knot_packing *packing, const knot_matrix_place *place, const float *weights, const float *bias, size_t first,
    size_t outputs, float factor) {
    float *biases = (float *)(void *)(packing->memory + place->bias) + first;
    for (size_t n = 0; n < outputs; n++) biases[n] = bias[n] * factor;
    if (packing->precision == KNOT_ENCODER_FLOAT) {
        pack_floats(
            weights, outputs, place->inputs, packing->with->lanes, first, factor,
            (float *)(void *)(packing->memory + place->panels));
        return;
    }
    const size_t lanes = packing->with->byte_lanes;
    int8_t *panels = (int8_t *)packing->memory + place->panels;
    float *scales = (float *)(void *)(packing->memory + place->scales) + first;
    float *sums = (float *)(void *)(packing->memory + place->sums) + first;
    knot_strays *strays = (knot_strays *)(void *)(packing->memory + place->strays);
    if (first == 0) strays->count = 0;
    for (size_t n = 0; n < outputs; n++) {
        int32_t sum;
        const float *row = weights + n * place->inputs;
        const float limit = sort_out(row, place->inputs, (uint32_t)(first + n), factor, strays);
        int8_t *lane = panels + (first + n) / lanes * lanes * place->inputs + (first + n) % lanes * KNOT_BYTE_GROUP;
        const float scale = pack_bytes(row, place->inputs, limit, lanes, lane, &sum);
        scales[n] = scale * factor;
        sums[n] = (float)sum * scales[n];
    }
}

/// A panel's lanes past the last output give zeros that nobody reads.
static void clear_rest(const knot_packing *packing, const knot_matrix_place *place) {
    const int is_byte = packing->precision == KNOT_ENCODER_BYTE;
    const size_t lanes = is_byte ? packing->with->byte_lanes : packing->with->lanes, size = is_byte ? 1 : sizeof(float);
    const size_t whole = place->outputs / lanes * lanes, rest = place->outputs - whole;
    if (rest == 0) return;
    memset(packing->memory + place->panels + whole * place->inputs * size, 0, lanes * place->inputs * size);
    memset(packing->memory + place->bias + whole * sizeof(float), 0, lanes * sizeof(float));
    if (!is_byte) return;
    memset(packing->memory + place->scales + whole * sizeof(float), 0, lanes * sizeof(float));
    memset(packing->memory + place->sums + whole * sizeof(float), 0, lanes * sizeof(float));
}

void knot_encoder_pack(
    const knot_kernels *kernels, const knot_encoder_shape *shape, knot_encoder_precision precision,
    const knot_encoder_layer *layers, uint32_t first, uint32_t count, void *memory) {
    const knot_encoder_kernels *with = knot_encoder_of(kernels);
    knot_layer_place place;
    if (!knot_place_layer(with, shape, precision, &place)) return;
    const size_t hidden = shape->hidden, wide = shape->intermediate;
    const float factor = with->folds_factor ? 1.4426950408889634f / sqrtf((float)(hidden / shape->heads)) : 1;
    for (uint32_t l = first; l < first + count && l < shape->layers; l++) {
        const knot_encoder_layer *layer = layers + l;
        const knot_packing packing = {.with = with, .precision = precision, .memory = (char *)memory + l * place.bytes};
        const knot_matrix_place *all[] = {&place.attention, &place.output, &place.up, &place.down};
        for (size_t m = 0; m < 4; m++) clear_rest(&packing, all[m]);
        pack(&packing, &place.attention, layer->query, layer->query_bias, 0, hidden, factor);
        pack(&packing, &place.attention, layer->key, layer->key_bias, hidden, hidden, 1);
        pack(&packing, &place.attention, layer->value, layer->value_bias, 2 * hidden, hidden, 1);
        pack(&packing, &place.output, layer->output, layer->output_bias, 0, hidden, 1);
        pack(&packing, &place.up, layer->up, layer->up_bias, 0, wide, 1);
        pack(&packing, &place.down, layer->down, layer->down_bias, 0, hidden, 1);
        const size_t bytes = hidden * sizeof(float);
        memcpy(packing.memory + place.output_norm, layer->output_norm, bytes);
        memcpy(packing.memory + place.output_norm_bias, layer->output_norm_bias, bytes);
        memcpy(packing.memory + place.final_norm, layer->final_norm, bytes);
        memcpy(packing.memory + place.final_norm_bias, layer->final_norm_bias, bytes);
    }
}
