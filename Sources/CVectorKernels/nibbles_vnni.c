/// A scan of four-bit codes (nibbles.h) with AVX-512 and VNNI.
///
/// Sixty-four bytes hold the codes of 128 dimensions. The low and the high halves are looked up in a register of sixteen
/// levels, which gives the unsigned bytes that `vpdpbusd` multiplies with the query's, as in vnni.c. The levels are 128 too
/// large, and the sums start from as much less.
#include "nibbles.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))), apply_to = function)

#include "vnni_scan.h"

enum { register_chunks = 6 };

static inline __attribute__((always_inline)) void four_sums(
    const knot_scan_rows *rows, uint32_t first, const int8_t *query, const __m512i *_Nullable kept, size_t chunks, int32_t *sums) {
    const __m512i levels = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)knot_nibble_levels));
    const __m512i low = _mm512_set1_epi8(15);
    __m512i four[4];
#pragma clang loop unroll(full)
    for (uint32_t r = 0; r < 4; r++) {
        const knot_scan_row row = knot_row_at(rows, first + r);
        __m512i sum[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
        for (size_t c = 0; c < chunks; c++) {
            if (rows->from_memory) _mm_prefetch(row.ahead + 64 * c, _MM_HINT_T0);
            const __m512i q0 = kept ? kept[2 * c] : _mm512_loadu_si512(query + 128 * c);
            const __m512i q1 = kept ? kept[2 * c + 1] : _mm512_loadu_si512(query + 128 * c + 64);
            const __m512i codes = _mm512_loadu_si512(row.codes + 64 * c);
            const __m512i x0 = _mm512_shuffle_epi8(levels, _mm512_and_si512(codes, low));
            const __m512i x1 = _mm512_shuffle_epi8(levels, _mm512_and_si512(_mm512_srli_epi16(codes, 4), low));
            sum[0] = _mm512_dpbusd_epi32(sum[0], x0, q0);
            sum[1] = _mm512_dpbusd_epi32(sum[1], x1, q1);
        }
        four[r] = _mm512_add_epi32(sum[0], sum[1]);
    }
    _mm_storeu_si128((__m128i *)(sums + first), knot_sums_of_four(four));
}

/// The usual 768 dimensions: the whole query stays in registers.
static inline __attribute__((always_inline)) void sums_768(const knot_scan_rows *rows, const knot_scan_query *query, int32_t *sums) {
    __m512i kept[2 * register_chunks];
#pragma clang loop unroll(full)
    for (size_t c = 0; c < 2 * register_chunks; c++) kept[c] = _mm512_loadu_si512(query->codes + 64 * c);
    for (uint32_t first = 0; first < rows->count; first += 4)
        four_sums(rows, first, query->codes, kept, register_chunks, sums);
}

static inline __attribute__((always_inline)) void sums_any(const knot_scan_rows *rows, const knot_scan_query *query, int32_t *sums) {
    for (uint32_t first = 0; first < rows->count; first += 4) four_sums(rows, first, query->codes, NULL, query->chunks, sums);
}

uint32_t knot_vnni_nibble_scan(const knot_scan_rows *rows, const knot_scan_query *query, float bar, knot_nibble_hit *hits) {
    int32_t sums[KNOT_SCAN_ROWS];
    if (query->chunks == register_chunks) knot_with_known_flags(sums_768, rows, query, sums);
    else sums_any(rows, query, sums);

    uint32_t found = 0;
    const __m512i start = _mm512_set1_epi32(query->start);
    const __m512 bars = _mm512_set1_ps(bar), scale = _mm512_set1_ps(query->scale), square = _mm512_set1_ps(query->reach);
    for (uint32_t first = 0; first < rows->count; first += 16) {
        const knot_scan_factors factors = knot_factors_at(rows, first);
        const __m512i sum = _mm512_add_epi32(_mm512_maskz_loadu_epi32(factors.valid, sums + first), start);
        const __m512 q = _mm512_mul_ps(_mm512_cvtepi32_ps(sum), _mm512_mul_ps(factors.scales, scale));
        // The root takes what is a little below zero by rounding as zero.
        const __m512 across = _mm512_sqrt_ps(_mm512_max_ps(_mm512_fnmadd_ps(q, q, square), _mm512_setzero_ps()));
        const __m512 upper = _mm512_fmadd_ps(factors.reaches, across, q);
        uint32_t passed = _mm512_mask_cmp_ps_mask(factors.valid, upper, bars, _CMP_GE_OQ);
        if (!passed) continue;
        float scores[16], uppers[16];
        _mm512_storeu_ps(scores, q);
        _mm512_storeu_ps(uppers, upper);
        for (; passed; passed &= passed - 1) {
            const uint32_t j = (uint32_t)__builtin_ctz(passed);
            hits[found++] = (knot_nibble_hit){first + j, scores[j], uppers[j]};
        }
    }
    return found;
}

#include "nibble_code.h"

double knot_vnni_code_nibbles(double *wide, size_t padded, double norm, uint8_t *codes, float *scale) {
    return knot_code_nibbles(wide, padded, norm, codes, scale);
}

#pragma clang attribute pop

#endif
