/// A fixed rotation of vectors before they are coded: included where it is compiled, which sets KNOT_DOUBLES.
///
/// Coding by one scale suffers when a few dimensions are much larger than the rest, as in most models' embeddings: the scale
/// follows the largest, and all others are rounded coarsely. A rotation changes no product but spreads every dimension over
/// all: signs flipped by a fixed pattern, then a Walsh–Hadamard transform within blocks of a power of two, then a reflection
/// across the blocks (I - 2/m·J for m of them). Only additions, subtractions and one exact or correctly rounded scaling in a
/// fixed order, so every variant makes the same codes.

typedef double knot_block __attribute__((vector_size(64), aligned(8)));
typedef int64_t knot_lanes __attribute__((vector_size(64)));

/// The longest power of two that divides the padded dimension, up to 256.
static inline size_t knot_rotation_block(size_t padded) {
    size_t block = 64;
    while (block < 256 && padded % (2 * block) == 0) block *= 2;
    return block;
}

/// Rotates `padded` doubles, a multiple of 64, in place; every length is kept up to rounding.
static inline __attribute__((always_inline)) void knot_rotate(double *x, size_t padded) {
    const size_t size = knot_rotation_block(padded), blocks = padded / size, vectors = size / 8;
    // 1/√64 and 1/√256 are exact.
    const double scale = size == 64 ? 0.125 : size == 256 ? 0.0625 : 0.08838834764831845;
    uint64_t pattern = 0x9e3779b97f4a7c15;
    for (size_t i = 0; i < padded; i += 8) {
        // Eight signs from the top bits of a multiplicative congruence.
        pattern = pattern * 6364136223846793005u + 1442695040888963407u;
        knot_lanes flips;
        for (int j = 0; j < 8; j++) flips[j] = (int64_t)(pattern << (8 + j) & 0x8000000000000000u);
        knot_block v = (knot_block)((knot_lanes)(*(knot_block *)(x + i)) ^ flips) * scale;
        const knot_block a = {1, -1, 1, -1, 1, -1, 1, -1}, b = {1, 1, -1, -1, 1, 1, -1, -1}, c = {1, 1, 1, 1, -1, -1, -1, -1};
        v = __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6) + v * a;
        v = __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5) + v * b;
        v = __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3) + v * c;
        *(knot_block *)(x + i) = v;
    }
    for (size_t block = 0; block < blocks; block++) {
        knot_block *v = (knot_block *)(x + block * size);
        for (size_t apart = 1; apart < vectors; apart *= 2)
            for (size_t i = 0; i < vectors; i += 2 * apart)
                for (size_t j = i; j < i + apart; j++) {
                    const knot_block p = v[j], q = v[j + apart];
                    v[j] = p + q;
                    v[j + apart] = p - q;
                }
    }
    if (blocks == 1) return;
    const double share = 2.0 / (double)blocks;
    for (size_t i = 0; i < vectors; i++) {
        knot_block sum = {0};
        for (size_t block = 0; block < blocks; block++) sum += *(knot_block *)(x + block * size + 8 * i);
        const knot_block less = sum * share;
        for (size_t block = 0; block < blocks; block++) *(knot_block *)(x + block * size + 8 * i) -= less;
    }
}
