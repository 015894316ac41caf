/// What scans of byte codes (vnni.c) and of four-bit codes (nibbles_vnni.c) have in common: included where AVX-512 is the
/// target.
#include <immintrin.h>

#include "kernels.h"

/// Bytes that rows from memory are asked for ahead, and rows when they are picked.
enum { knot_scan_ahead = 12288, knot_pick_ahead = 16 };

/// The sixteen lanes of each of four registers, added up.
static inline __attribute__((always_inline)) __m128i knot_sums_of_four(const __m512i s[4]) {
    const __m512i a = _mm512_add_epi32(_mm512_unpacklo_epi32(s[0], s[1]), _mm512_unpackhi_epi32(s[0], s[1]));
    const __m512i b = _mm512_add_epi32(_mm512_unpacklo_epi32(s[2], s[3]), _mm512_unpackhi_epi32(s[2], s[3]));
    const __m512i c = _mm512_add_epi32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    const __m256i d = _mm256_add_epi32(_mm512_castsi512_si256(c), _mm512_extracti64x4_epi64(c, 1));
    return _mm_add_epi32(_mm256_castsi256_si128(d), _mm256_extracti128_si256(d, 1));
}

typedef struct {
    const uint8_t *codes;
    const char *ahead;  ///< what is needed soon
} knot_scan_row;

static inline __attribute__((always_inline)) knot_scan_row knot_row_at(const knot_scan_rows *rows, uint32_t position) {
    // Past the end the last row is read again; nobody looks at its sum.
    const uint32_t last = rows->count - 1, at = position < last ? position : last;
    const uint8_t *codes = rows->codes + (size_t)(rows->picks ? rows->picks[at] : at) * rows->stride;
    // Picked rows are asked for by number, neighbours by distance.
    const uint32_t later = at + knot_pick_ahead < last ? at + knot_pick_ahead : last;
    const char *ahead = rows->picks ? (const char *)rows->codes + (size_t)rows->picks[later] * rows->stride
                                    : (const char *)((uintptr_t)codes + knot_scan_ahead);
    return (knot_scan_row){codes, ahead};
}

typedef void knot_sums(const knot_scan_rows *rows, const knot_scan_query *query, int32_t *sums);

/// Calls a function that is inlined, with copies of the rows whose flags are known: the compiler makes a loop without
/// branches for each case.
static inline __attribute__((always_inline)) void knot_with_known_flags(
    knot_sums *body, const knot_scan_rows *rows, const knot_scan_query *query, int32_t *sums) {
    knot_scan_rows some = *rows;
    if (rows->picks) {
        __builtin_assume(some.picks != NULL);
        some.from_memory = 1;
        if (rows->from_memory) body(&some, query, sums);
        some.from_memory = 0;
        if (!rows->from_memory) body(&some, query, sums);
    } else {
        some.picks = NULL;
        some.from_memory = 1;
        if (rows->from_memory) body(&some, query, sums);
        some.from_memory = 0;
        if (!rows->from_memory) body(&some, query, sums);
    }
}

/// Sixteen rows' scales and reaches and the lanes that hold one.
typedef struct {
    __mmask16 valid;
    __m512 scales, reaches;
} knot_scan_factors;

static inline __attribute__((always_inline)) knot_scan_factors knot_factors_at(const knot_scan_rows *rows, uint32_t first) {
    const uint32_t left = rows->count - first;
    const __mmask16 valid = left >= 16 ? 0xffff : (__mmask16)((1u << left) - 1);
    if (!rows->picks)
        return (knot_scan_factors){
            valid, _mm512_maskz_loadu_ps(valid, rows->scales + first), _mm512_maskz_loadu_ps(valid, rows->reaches + first)};
    const __m512i at = _mm512_maskz_loadu_epi32(valid, rows->picks + first);
    return (knot_scan_factors){
        valid, _mm512_mask_i32gather_ps(_mm512_setzero_ps(), valid, at, rows->scales, 4),
        _mm512_mask_i32gather_ps(_mm512_setzero_ps(), valid, at, rows->reaches, 4)};
}
