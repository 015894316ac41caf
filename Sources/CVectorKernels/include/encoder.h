/// The layers of a BERT-family encoder over a batch of texts laid end to end: no text is padded to another's length.
///
/// Nothing here allocates, reads files or starts threads. Weights are packed once into memory the caller gives; any
/// number of threads may then run batches on them at once, each with scratch memory of its own.
#ifndef KNOT_ENCODER_H
#define KNOT_ENCODER_H

#include <stddef.h>
#include <stdint.h>

#include "CVectorKernels.h"

#pragma clang assume_nonnull begin

/// How the weights of the linear layers are kept and multiplied.
typedef enum {
    KNOT_ENCODER_FLOAT = 0,  ///< single precision
    KNOT_ENCODER_BYTE = 1,  ///< a byte for each weight with a scale for each output, and for each token's input
} knot_encoder_precision;

typedef struct {
    uint32_t hidden;  ///< numbers of a token; a multiple of the heads
    uint32_t heads;
    uint32_t intermediate;
    uint32_t layers;
    float epsilon;  ///< of the layer norms
} knot_encoder_shape;

/// One layer's tensors in single precision, each matrix row-major as outputs × inputs.
typedef struct {
    const float *query, *query_bias, *key, *key_bias, *value, *value_bias;
    const float *output, *output_bias, *output_norm, *output_norm_bias;
    const float *up, *up_bias, *down, *down_bias, *final_norm, *final_norm_bias;
} knot_encoder_layer;

/// Whether these kernels multiply in this precision faster than in single precision (bytes need VNNI).
int knot_encoder_has(const knot_kernels *kernels, knot_encoder_precision precision);

/// Bytes that packed weights take, for memory aligned to 64 bytes; 0 for a shape that is refused, and for bytes where
/// no arithmetic is made for them (the scalar kernels have one, as the truth that others are held against).
///
/// Refused are sizes of zero, a hidden or an intermediate size or a head that is not a multiple of 16, and sizes beyond
/// any model of this kind.
size_t knot_encoder_bytes(
    const knot_kernels *kernels, const knot_encoder_shape *shape, knot_encoder_precision precision);

/// Packs the weights of layers `first` to `first + count` (so that threads may share the work). `memory` has
/// knot_encoder_bytes bytes; all layers must be packed with the same kernels, shape and precision before it is used.
void knot_encoder_pack(
    const knot_kernels *kernels, const knot_encoder_shape *shape, knot_encoder_precision precision,
    const knot_encoder_layer *layers, uint32_t first, uint32_t count, void *memory);

/// Bytes of scratch memory, aligned to 64 bytes, for a batch of so many tokens whose longest text has `longest`.
size_t knot_encoder_scratch(
    const knot_kernels *kernels, const knot_encoder_shape *shape, knot_encoder_precision precision, size_t tokens,
    size_t longest);

/// Texts run through a layer in blocks: as many whole texts, in the order they come, as have so many tokens together, or
/// one longer text. Weights are read once for each block, so full blocks are fast; results are the same in any.
#define KNOT_ENCODER_BLOCK_TOKENS 96

/// Runs all layers over a batch. `states` holds hidden floats for each token (after the embeddings' own layer norm) and
/// receives the last layer's; text t is tokens starts[t] to starts[t + 1]. A text's states are the same bits whatever
/// texts share its batch.
void knot_encoder_run(
    const knot_kernels *kernels, const knot_encoder_shape *shape, knot_encoder_precision precision, const void *memory,
    float *states, const uint32_t *starts, size_t texts, void *scratch);

/// states[t] = layer norm of word[ids[t]] + position[places[t]] + kind, the sum that BERT's layers start from.
void knot_encoder_embed(
    const knot_kernels *kernels, const knot_encoder_shape *shape, const float *words, const float *positions,
    const float *kind, const float *norm, const float *norm_bias, const uint32_t *ids, const uint32_t *places,
    size_t tokens, float *states);

/// The largest of the numbers' bit patterns without their signs: 0 where all are zero, and above that of any number where
/// one is infinite or none at all.
uint32_t knot_largest_bits(const float *numbers, size_t count);

#pragma clang assume_nonnull end

#endif
