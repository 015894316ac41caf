/// The encoder in plain C, the truth that the other kinds are held against: sums in double precision, the C library's
/// exp and erf, one output a panel.
#include <math.h>

#include "encoder_kernels.h"

static float finish(double sum, knot_then then, float before) {
    switch (then) {
    case KNOT_THEN_GELU: return (float)(sum / 2 * (1 + erf(sum * M_SQRT1_2)));
    case KNOT_THEN_ADD: return (float)(sum + before);
    case KNOT_THEN_NOTHING: break;
    }
    return (float)sum;
}

static void linear(const knot_linear *layer, const float *rows, size_t count, knot_then then, float *out) {
    for (size_t r = 0; r < count; r++)
        for (size_t n = 0; n < layer->outputs; n++) {
            const float *row = rows + r * layer->inputs, *weights = (const float *)layer->panels + n * layer->inputs;
            double sum = layer->bias[n];
            for (size_t i = 0; i < layer->inputs; i++) sum += (double)row[i] * weights[i];
            out[r * layer->outputs + n] = finish(sum, then, out[r * layer->outputs + n]);
        }
}

static void byte_linear(
    const knot_linear *layer, const knot_byte_rows *rows, size_t count, knot_then then, float *out) {
    for (size_t r = 0; r < count; r++)
        for (size_t n = 0; n < layer->outputs; n++) {
            const uint8_t *codes = rows->codes + r * layer->inputs;
            const int8_t *weights = (const int8_t *)layer->panels + n * layer->inputs;
            const knot_byte_range range = rows->ranges[r];
            int32_t whole = 0;
            for (size_t i = 0; i < layer->inputs; i++) whole += codes[i] * weights[i];
            double sum = layer->scales[n] * ((double)whole * range.step + (double)range.excess * weights[range.place]);
            sum += (double)layer->sums[n] * range.low;
            for (uint32_t s = 0; s < layer->strays->count; s++) {
                const knot_stray stray = layer->strays->all[s];
                if (stray.output == n) sum += (double)stray.weight * rows->values[r * layer->inputs + stray.input];
            }
            out[r * layer->outputs + n] = finish(sum + layer->bias[n], then, out[r * layer->outputs + n]);
        }
}

static void to_bytes(const float *rows, size_t width, size_t count, uint8_t *codes, knot_byte_range *ranges) {
    for (size_t r = 0; r < count; r++, rows += width, codes += width) {
        size_t furthest = 0;
        for (size_t i = 1; i < width; i++)
            if (fabsf(rows[i]) > fabsf(rows[furthest])) furthest = i;
        float least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < width; i++) {
            if (i == furthest) continue;
            least = rows[i] < least ? rows[i] : least;
            most = rows[i] > most ? rows[i] : most;
        }
        const float inverse = most > least ? 255 / (most - least) : 0;
        for (size_t i = 0; i < width; i++) {
            const float code = rintf((rows[i] - least) * inverse);
            codes[i] = code > 0 ? code < 255 ? (uint8_t)code : 255 : 0;
        }
        const float step = (most - least) / 255, coded = least + step * codes[furthest];
        ranges[r] = (knot_byte_range){least, step, rows[furthest] - coded, (uint32_t)furthest};
    }
}

static void attend(const knot_attended *text, float *out, void *scratch) {
    const size_t hidden = text->hidden, size = hidden / text->heads, stride = 3 * hidden;
    float *scores = scratch;
    for (size_t head = 0; head < text->heads; head++)
        for (size_t q = 0; q < text->count; q++) {
            const float *query = text->states + q * stride + head * size;
            float most = -INFINITY;
            for (size_t k = 0; k < text->count; k++) {
                const float *key = text->states + k * stride + hidden + head * size;
                double sum = 0;
                for (size_t i = 0; i < size; i++) sum += (double)query[i] * key[i];
                scores[k] = (float)(sum / sqrt((double)size));
                most = scores[k] > most ? scores[k] : most;
            }
            double all = 0;
            for (size_t k = 0; k < text->count; k++) {
                scores[k] = expf(scores[k] - most);
                all += scores[k];
            }
            for (size_t i = 0; i < size; i++) {
                const float *values = text->states + 2 * hidden + head * size + i;
                double sum = 0;
                for (size_t k = 0; k < text->count; k++) sum += (double)scores[k] * values[k * stride];
                out[q * hidden + head * size + i] = (float)(sum / all);
            }
        }
}

static void norm(float *rows, size_t width, size_t count, float epsilon, const float *norms, const float *bias) {
    for (size_t r = 0; r < count; r++, rows += width) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < width; i++) sum += rows[i];
        const double mean = sum / (double)width;
        for (size_t i = 0; i < width; i++) squares += (rows[i] - mean) * (rows[i] - mean);
        const double scale = 1 / sqrt(squares / (double)width + epsilon);
        for (size_t i = 0; i < width; i++) rows[i] = (float)((rows[i] - mean) * scale * norms[i] + bias[i]);
    }
}

const knot_encoder_kernels knot_encoder_scalar = {
    .name = "scalar",
    .lanes = 1,
    .byte_lanes = 1,
    .linear = linear,
    .byte_linear = byte_linear,
    .to_bytes = to_bytes,
    .attend = attend,
    .norm = norm,
};
