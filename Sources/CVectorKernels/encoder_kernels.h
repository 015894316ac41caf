/// What the encoder's files share: one table of functions for each CPU kind, found by the name of its vector kernels.
///
/// Weights lie in *panels* of `lanes` outputs: all lanes' first input, then all lanes' second …, the last panel filled
/// up with zeros. Rows of states are read as they lie. Every sum is one chain over the inputs from first to last
/// whatever rows stand beside it, so a text's numbers do not depend on the texts it shares a batch with.
#ifndef KNOT_ENCODER_KERNELS_H
#define KNOT_ENCODER_KERNELS_H

#include "encoder.h"
#include "kernels.h"

#pragma clang assume_nonnull begin

/// A tile's rows at most, of any variant.
#define KNOT_ENCODER_TILE_ROWS 12
/// A panel's lanes at most.
#define KNOT_ENCODER_LANES 32
/// Inputs that one step of a byte product takes together.
#define KNOT_BYTE_GROUP 4

/// Weights of one matrix that are kept out of its bytes, at most.
#define KNOT_MOST_STRAYS 64

/// What becomes of a linear layer's sums once the bias is added.
typedef enum {
    KNOT_THEN_NOTHING,
    KNOT_THEN_GELU,  ///< x/2 · (1 + erf(x/√2))
    KNOT_THEN_ADD,  ///< added to what the output holds already
} knot_then;

/// A weight so much larger than its output's others that their bytes would lose what they say: it counts by itself.
typedef struct {
    uint32_t output;
    uint32_t input;
    float weight;
} knot_stray;

/// In order of their outputs.
typedef struct {
    uint32_t count;
    knot_stray all[KNOT_MOST_STRAYS];
} knot_strays;

/// A packed linear layer.
typedef struct {
    size_t inputs;
    size_t outputs;
    const void *panels;
    const float *bias;
    const float *scales;  ///< bytes only: what an output's byte weights are multiplied by
    const float *sums;  ///< bytes only: the sum of an output's byte weights, times their scale
    const knot_strays *strays;  ///< bytes only: weights that are zero in the panels
} knot_linear;

/// How a row became bytes: value = low + step · code. The number furthest from zero is left out of account in choosing
/// the range, since in these models it is often ten times the next, and what it has beyond its code is kept.
typedef struct {
    float low;
    float step;
    float excess;
    uint32_t place;  ///< of the number with the excess
} knot_byte_range;

typedef struct {
    const float *values;
    const uint8_t *codes;
    const knot_byte_range *ranges;
} knot_byte_rows;

/// One text's queries, keys and values, side by side in each token's row.
typedef struct {
    const float *states;
    size_t count;
    size_t hidden;
    size_t heads;
} knot_attended;

typedef struct {
    const char *name;
    uint32_t lanes;  ///< of a panel of floats
    uint32_t byte_lanes;  ///< of a panel of bytes; 0: no bytes
    int is_fast_in_bytes;
    /// Whether queries are packed with the factor log2(e)/√head already in them, as powers of two want them.
    int folds_factor;
    /// out = then(rows · weights + bias), `count` rows that follow one another.
    void (*linear)(const knot_linear *layer, const float *rows, size_t count, knot_then then, float *out);
    void (*_Nullable byte_linear)(
        const knot_linear *layer, const knot_byte_rows *rows, size_t count, knot_then then, float *out);
    void (*_Nullable to_bytes)(const float *rows, size_t width, size_t count, uint8_t *codes, knot_byte_range *ranges);
    /// Rows of `hidden` floats into `out`; `scratch` has attention_scratch bytes.
    void (*attend)(const knot_attended *text, float *out, void *scratch);
    /// Layer norm of rows in place.
    void (*norm)(float *rows, size_t width, size_t count, float epsilon, const float *norm, const float *bias);
} knot_encoder_kernels;

extern const knot_encoder_kernels knot_encoder_scalar;
#if defined(__x86_64__)
extern const knot_encoder_kernels knot_encoder_sse2, knot_encoder_avx2, knot_encoder_avxvnni, knot_encoder_avx512,
    knot_encoder_vnni;
#endif

const knot_encoder_kernels *knot_encoder_of(const knot_kernels *kernels);

/// Floats that attention over `count` tokens needs: keys and values of one head in panels, and a tile's scores.
static inline size_t knot_attention_floats(size_t count, size_t head, size_t lanes) {
    const size_t wide = knot_round_up(count, lanes);
    return wide * head + count * knot_round_up(head, lanes) + KNOT_ENCODER_TILE_ROWS * (wide + lanes);
}

/// Where a layer's matrices lie in packed memory, in bytes from the layer's start.
typedef struct {
    size_t inputs, outputs;
    size_t panels, bias, scales, sums, strays;
} knot_matrix_place;

typedef struct {
    knot_matrix_place attention, output, up, down;  ///< attention: queries, keys and values in one matrix
    size_t output_norm, output_norm_bias, final_norm, final_norm_bias;
    size_t bytes;  ///< of one layer
} knot_layer_place;

/// False for a shape or precision that is refused.
int knot_place_layer(
    const knot_encoder_kernels *with, const knot_encoder_shape *shape, knot_encoder_precision precision,
    knot_layer_place *place);

#pragma clang assume_nonnull end

#endif
