/// Drives every kernel of CVectorKernels over random and adversarial rows, to be compiled together with them by
/// `make sanitize` under the undefined-behaviour and address sanitizers. Each kind's searches have to equal the scalar
/// kernels' bit by bit, dense products a plain sum, and an encoder's states the scalar ones closely.
///
///     driver [rounds] [seed]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../Sources/CVectorKernels/shortlist.h"
#include "CVectorKernels.h"
#include "encoder.h"

static uint64_t state;

static uint32_t below(uint32_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % limit;
}

static float value(void) { return ((float)below(20001) - 10000) / 10000; }

static void *room(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) exit(74);
    return memory;
}

/// Rows of every awkward kind: zero, huge, tiny, denormal, not finite, repeated.
static void fill(float *rows, size_t stride, uint32_t count, uint32_t dimension) {
    for (uint32_t i = 0; i < count; i++) {
        float *row = rows + i * stride;
        const uint32_t kind = below(16);
        const float scale = kind == 0 ? 0 : kind == 1 ? 1e30f : kind == 2 ? 1e-30f : kind == 3 ? 1e-42f : 1;
        for (uint32_t j = 0; j < dimension; j++) row[j] = scale * value();
        if (kind == 4) row[below(dimension)] = NAN;
        if (kind == 5) row[below(dimension)] = INFINITY;
        if (kind == 6 && i > 0) memcpy(row, rows + below(i) * stride, dimension * sizeof(float));
    }
}

/// Counts the true matches that are not among the suspects, or not between their bounds.
static int missed_suspects(
    const knot_kernels *kernels, const knot_rows *rows, const knot_request *request, const knot_match *truth, const uint32_t *truths) {
    const size_t each = knot_suspect_room(request->limit, request->row_count);
    knot_suspect *suspects = room(each * request->query_count, sizeof *suspects);
    uint32_t *founds = room(request->query_count, sizeof *founds);
    int missed = knot_search_suspects(kernels, rows, request, suspects, founds) != KNOT_OK;
    for (uint32_t q = 0; q < request->query_count; q++)
        for (uint32_t i = 0; i < truths[q]; i++) {
            const knot_match match = truth[(size_t)q * request->limit + i];
            int held = 0;
            for (uint32_t s = 0; s < founds[q]; s++) {
                const knot_suspect own = suspects[q * each + s];
                held += own.row == match.row && own.lower <= match.score && match.score <= own.upper;
            }
            missed += held != 1;
        }
    free(suspects), free(founds);
    return missed;
}

static int search_round(void) {
    const uint32_t dimension = 1 + below(below(2) ? 40 : 900), count = below(below(3) ? 90 : 700), queries = 1 + below(below(2) ? 2 : 40);
    const size_t stride = dimension + below(4), code_stride = ((size_t)dimension + 63) / 64 * 64;
    float *rows = room(count * stride, sizeof(float)), *asked = room((size_t)queries * dimension, sizeof(float));
    double *norms = room(count, sizeof(double));
    uint8_t *codes = room(count * code_stride, 1);
    float *scales = room(count, sizeof(float)), *reaches = room(count, sizeof(float));
    const size_t nibble_stride = ((size_t)dimension + 127) / 128 * 64;
    uint8_t *nibbles = room(count * nibble_stride, 1);
    float *nibble_scales = room(count, sizeof(float)), *nibble_reaches = room(count, sizeof(float));
    uint64_t *allowed = room(count / 64 + 1, sizeof(uint64_t));
    fill(rows, stride, count, dimension);
    fill(asked, dimension, queries, dimension);
    for (uint32_t i = 0; i <= count / 64; i++) allowed[i] = (uint64_t)below(UINT32_MAX) << 32 | below(UINT32_MAX);
    const uint32_t first = below(3) ? 0 : below(count + 1);
    const knot_request request = {
        .queries = asked, .query_stride = dimension, .query_count = queries, .limit = below(below(2) ? 12 : 200),
        .threshold = below(3) ? -INFINITY : value(), .first_row = first, .row_count = count - first,
        .allowed = below(3) ? NULL : allowed,
    };
    knot_match *truth = room((size_t)queries * request.limit, sizeof *truth), *found = room((size_t)queries * request.limit, sizeof *found);
    uint32_t *truths = room(queries, sizeof *truths), *founds = room(queries, sizeof *founds);
    int wrong = 0;
    const char *name;
    for (size_t kind = 0; (name = knot_kernels_name_at(kind)); kind++) {
        const knot_kernels *kernels = knot_kernels_named(name);
        if (!kernels) continue;
        const knot_kernels *other = knot_kernels_otherwise(kernels);
        if (other && below(2)) kernels = other;
        knot_norms(kernels, rows, stride, count, dimension, norms);
        knot_encode(kernels, rows, stride, norms, count, dimension, codes, code_stride, scales, reaches);
        knot_encode_nibbles(
            kernels, rows, stride, norms, count, dimension, nibbles, nibble_stride, nibble_scales, nibble_reaches);
        // By floats, by codes, by floats whose lengths nobody knows, and by codes of half a byte first.
        for (int way = 0; way < 4; way++) {
            const knot_rows searched = {
                .values = rows, .stride = stride, .count = count, .dimension = dimension, .norms = way == 2 ? NULL : norms,
                .codes = way % 2 ? codes : NULL, .code_stride = code_stride, .scales = scales, .reaches = reaches,
                .nibbles = way == 3 ? nibbles : NULL, .nibble_stride = nibble_stride, .nibble_scales = nibble_scales,
                .nibble_reaches = nibble_reaches,
            };
            const int is_truth = kind == 0 && way == 0;
            if (knot_search(kernels, &searched, &request, is_truth ? truth : found, is_truth ? truths : founds, NULL) != KNOT_OK) wrong++;
            if (searched.norms) wrong += missed_suspects(kernels, &searched, &request, truth, truths);
            for (uint32_t q = 0; q < queries && !is_truth; q++)
                wrong += truths[q] != founds[q] ||
                    memcmp(truth + (size_t)q * request.limit, found + (size_t)q * request.limit, truths[q] * sizeof *truth) != 0;
        }
    }
    free(rows), free(asked), free(norms), free(codes), free(scales), free(reaches), free(allowed);
    free(nibbles), free(nibble_scales), free(nibble_reaches);
    free(truth), free(found), free(truths), free(founds);
    return wrong;
}

static int product_round(void) {
    const uint32_t dimension = 1 + below(below(2) ? 40 : 800), left = below(40), right = below(90);
    const size_t left_stride = dimension + below(5), right_stride = dimension + below(5), out_stride = right + below(4);
    float *a = room(left * left_stride, sizeof(float)), *b = room(right * right_stride, sizeof(float));
    float *out = room(left * out_stride, sizeof(float));
    for (size_t i = 0; i < left * left_stride; i++) a[i] = value();
    for (size_t i = 0; i < right * right_stride; i++) b[i] = value();
    int wrong = 0;
    const char *name;
    for (size_t kind = 0; (name = knot_kernels_name_at(kind)); kind++) {
        const knot_kernels *kernels = knot_kernels_named(name);
        if (!kernels) continue;
        wrong += knot_products(kernels, a, left_stride, left, b, right_stride, right, dimension, out, out_stride) != KNOT_OK;
        for (size_t i = 0; i < left; i++)
            for (size_t j = 0; j < right; j++) {
                double sum = 0;
                for (size_t k = 0; k < dimension; k++) sum += (double)a[i * left_stride + k] * b[j * right_stride + k];
                wrong += !(fabs(sum - out[i * out_stride + j]) < 1e-3);
            }
    }
    free(a), free(b), free(out);
    return wrong;
}

/// Lists have room for more than their limit, or for all rows, and no number of either is too large to count.
static int capacity_round(void) {
    const uint32_t limits[] = {1, 10, 200, 1u << 29, 1u << 30, 1u << 31, UINT32_MAX};
    int wrong = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const uint32_t limit = limits[i], rows[] = {limit, limit < UINT32_MAX ? limit + 1 : limit, UINT32_MAX};
        for (size_t j = 0; j < sizeof rows / sizeof *rows; j++) {
            const uint32_t room = knot_shortlist_capacity(limit, rows[j]);
            wrong += room < limit || room > rows[j] || (room == limit && rows[j] > limit);
            wrong += knot_shortlist_ripe(room, limit) < room;
        }
    }
    return wrong;
}

static float *weights(size_t count, float scale) {
    float *memory = room(count, sizeof(float));
    for (size_t i = 0; i < count; i++) memory[i] = scale * value();
    // Now and then one weight that stands out.
    if (below(3) == 0) memory[below((uint32_t)count)] = 40 * scale;
    return memory;
}

/// A batch through all layers, all texts at once and then one by one; whether a text's states depend on the others.
static int encoded(
    const knot_kernels *kernels, const knot_encoder_shape *shape, knot_encoder_precision precision,
    const knot_encoder_layer *layers, const float *first, const uint32_t *starts, size_t texts, float *states) {
    const size_t width = shape->hidden, tokens = starts[texts], bytes = knot_encoder_bytes(kernels, shape, precision);
    if (bytes == 0) return 1;
    void *packed = aligned_alloc(64, bytes);
    if (!packed) exit(74);
    memset(packed, 0xff, bytes);
    for (uint32_t layer = 0; layer < shape->layers; layer++)
        knot_encoder_pack(kernels, shape, precision, layers, layer, 1, packed);
    int wrong = 0;
    float *alone = room(tokens * width, sizeof(float));
    for (size_t text = 0; text <= texts; text++) {
        // First the whole batch, then each text.
        const uint32_t whole[] = {text == 0 ? 0 : starts[text - 1], text == 0 ? starts[texts] : starts[text]};
        uint32_t longest = text == 0 ? 0 : whole[1] - whole[0];
        for (size_t t = 0; t < texts && text == 0; t++)
            longest = starts[t + 1] - starts[t] > longest ? starts[t + 1] - starts[t] : longest;
        const size_t size = knot_encoder_scratch(kernels, shape, precision, whole[1] - whole[0], longest);
        void *scratch = aligned_alloc(64, size ? size : 64);
        if (!scratch) exit(74);
        float *out = (text == 0 ? states : alone) + whole[0] * width;
        memcpy(out, first + whole[0] * width, (whole[1] - whole[0]) * width * sizeof(float));
        knot_encoder_run(
            kernels, shape, precision, packed, out, text == 0 ? starts : whole, text == 0 ? texts : 1, scratch);
        free(scratch);
    }
    wrong += memcmp(states, alone, tokens * width * sizeof(float)) != 0;
    free(packed), free(alone);
    return wrong;
}

static int encoder_round(void) {
    const uint32_t heads = 1 + below(3), hidden = heads * 16 * (1 + below(4)), wide = 16 * (1 + below(30));
    const knot_encoder_shape shape = {
        .hidden = hidden, .heads = heads, .intermediate = wide, .layers = 1 + below(2), .epsilon = 1e-12f,
    };
    uint32_t starts[7] = {0};
    const size_t texts = 1 + below(6);
    for (size_t t = 0; t < texts; t++) starts[t + 1] = starts[t] + below(below(9) ? 14 : 120);
    const size_t square = (size_t)hidden * hidden, tall = (size_t)hidden * wide, tokens = starts[texts];
    const float scale = 1 / sqrtf((float)hidden);
    knot_encoder_layer layers[2];
    for (uint32_t l = 0; l < shape.layers; l++)
        layers[l] = (knot_encoder_layer){
            weights(square, scale), weights(hidden, 0.1f), weights(square, scale), weights(hidden, 0.1f),
            weights(square, scale), weights(hidden, 0.1f), weights(square, scale), weights(hidden, 0.1f),
            weights(hidden, 1), weights(hidden, 0.1f), weights(tall, scale), weights(wide, 0.1f),
            weights(tall, scale), weights(hidden, 0.1f), weights(hidden, 1), weights(hidden, 0.1f),
        };
    float *words = weights(20 * (size_t)hidden, 1), *places = weights(20 * (size_t)hidden, 0.1f);
    float *norm = weights(hidden, 1);
    uint32_t *ids = room(tokens, sizeof(uint32_t));
    for (size_t t = 0; t < tokens; t++) ids[t] = below(20);
    float *first = room(tokens * hidden, sizeof(float)), *states = room(tokens * hidden, sizeof(float));
    float *truth[2] = {room(tokens * hidden, sizeof(float)), room(tokens * hidden, sizeof(float))};
    knot_encoder_embed(
        knot_kernels_named("scalar"), &shape, words, places, places, norm, places, ids, ids, tokens, first);
    int wrong = 0;
    const char *name;
    for (size_t kind = 0; (name = knot_kernels_name_at(kind)); kind++) {
        const knot_kernels *kernels = knot_kernels_named(name);
        if (!kernels) continue;
        for (int precision = 0; precision < 2; precision++) {
            if (kind > 0 && !knot_encoder_has(kernels, precision)) continue;
            float *out = kind ? states : truth[precision];
            wrong += encoded(kernels, &shape, precision, layers, first, starts, texts, out);
            double apart = 0, all = 0;
            for (size_t i = 0; i < tokens * hidden && kind > 0; i++) {
                apart += fabs((double)states[i] - truth[precision][i]);
                all += fabs((double)truth[precision][i]);
            }
            // A byte on the verge may fall to either side.
            wrong += !(apart <= (precision ? 0.02 : 1e-5) * all);
        }
    }
    for (uint32_t l = 0; l < shape.layers; l++)
        for (size_t part = 0; part < sizeof layers[l] / sizeof(float *); part++)
            free((void *)((const float **)&layers[l])[part]);
    free(words), free(places), free(norm), free(ids), free(first), free(states), free(truth[0]), free(truth[1]);
    return wrong;
}

int main(int count, char **arguments) {
    const long rounds = count > 1 ? atol(arguments[1]) : 300;
    const uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 20261121;
    state = seed;
    long wrong = (knot_crc32c(0, "123456789", 9) != 0xe3069283) + capacity_round();
    for (long round = 0; round < rounds; round++) wrong += search_round() + product_round() + encoder_round();
    printf("%ld rounds, seed %llu: %ld wrong\n", rounds, (unsigned long long)seed, wrong);
    return wrong != 0;
}
