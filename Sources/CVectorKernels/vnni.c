/// AVX-512 with VNNI: sums of products of bytes, four times the arithmetic of floats and a quarter of the memory.
///
/// `vpdpbusd` multiplies four unsigned bytes with four signed ones in each 32-bit lane and adds the lot. Rows are the
/// unsigned side (128 + code), so the excess is 128 times the sum of the query's codes: a number known before any row is
/// read, from which the sums simply start.
///
/// A *scan* (one query) keeps the query in registers and reads rows as they lie in memory; then sixteen sums at a time are
/// given their scale and reach and compared. A *tile* (many queries, arithmetic is the limit) works as float_tile.h says, four bytes a step. What
/// passes is only a suspicion: search.c gives it a canonical score.
#include "kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <math.h>
#include <string.h>

#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))), apply_to = function)

enum { tile_rows = 12, register_chunks = 12 };

#include "vnni_scan.h"

/// Sums of four rows that follow one another: read one by one in the order of memory, their lanes added up together. Rows
/// from memory are asked for well ahead; for rows from a cache that would only be in the way.
static inline __attribute__((always_inline)) void four_sums(
    const knot_scan_rows *rows, uint32_t first, const int8_t *query, const __m512i *_Nullable kept, size_t chunks, int32_t *sums) {
    __m512i four[4];
#pragma clang loop unroll(full)
    for (uint32_t r = 0; r < 4; r++) {
        const knot_scan_row row = knot_row_at(rows, first + r);
        __m512i sum[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
        for (size_t c = 0; c < chunks; c++) {
            if (rows->from_memory) _mm_prefetch(row.ahead + 64 * c, _MM_HINT_T0);
            const __m512i q = kept ? kept[c] : _mm512_loadu_si512(query + 64 * c);
            sum[c % 2] = _mm512_dpbusd_epi32(sum[c % 2], _mm512_loadu_si512(row.codes + 64 * c), q);
        }
        four[r] = _mm512_add_epi32(sum[0], sum[1]);
    }
    _mm_storeu_si128((__m128i *)(sums + first), knot_sums_of_four(four));
}

/// The usual 768 dimensions: the whole query stays in registers.
static inline __attribute__((always_inline)) void sums_768(const knot_scan_rows *rows, const knot_scan_query *query, int32_t *sums) {
    __m512i kept[register_chunks];
#pragma clang loop unroll(full)
    for (size_t c = 0; c < register_chunks; c++) kept[c] = _mm512_loadu_si512(query->codes + 64 * c);
    for (uint32_t first = 0; first < rows->count; first += 4)
        four_sums(rows, first, query->codes, kept, register_chunks, sums);
}

static inline __attribute__((always_inline)) void sums_any(const knot_scan_rows *rows, const knot_scan_query *query, int32_t *sums) {
    for (uint32_t first = 0; first < rows->count; first += 4) four_sums(rows, first, query->codes, NULL, query->chunks, sums);
}

static uint32_t byte_scan(const knot_scan_rows *rows, const knot_scan_query *query, float bar, knot_scan_hit *hits) {
    int32_t sums[KNOT_SCAN_ROWS];
    if (query->chunks == register_chunks) knot_with_known_flags(sums_768, rows, query, sums);
    else sums_any(rows, query, sums);

    uint32_t found = 0;
    const __m512i start = _mm512_set1_epi32(query->start);
    const __m512 bars = _mm512_set1_ps(bar), scale = _mm512_set1_ps(query->scale), share = _mm512_set1_ps(query->reach);
    for (uint32_t first = 0; first < rows->count; first += 16) {
        const knot_scan_factors factors = knot_factors_at(rows, first);
        const __m512i sum = _mm512_add_epi32(_mm512_maskz_loadu_epi32(factors.valid, sums + first), start);
        const __m512 scores = _mm512_mul_ps(_mm512_cvtepi32_ps(sum), _mm512_mul_ps(factors.scales, scale));
        const __m512 uppers = _mm512_fmadd_ps(factors.reaches, share, scores);
        uint32_t passed = _mm512_mask_cmp_ps_mask(factors.valid, uppers, bars, _CMP_GE_OQ);
        if (!passed) continue;
        float values[16];
        _mm512_storeu_ps(values, scores);
        for (; passed; passed &= passed - 1) {
            const uint32_t j = (uint32_t)__builtin_ctz(passed);
            hits[found++] = (knot_scan_hit){first + j, values[j]};
        }
    }
    return found;
}

static int byte_tile(const knot_tile_rows *rows, const knot_tile_queries *queries, knot_tile_hits *hits) {
    __m512i sums[tile_rows][2];
    const __m512i start[2] = {_mm512_loadu_si512(queries->starts), _mm512_loadu_si512(queries->starts + 16)};
#pragma clang loop unroll(full)
    for (int r = 0; r < tile_rows; r++) sums[r][0] = start[0], sums[r][1] = start[1];
    const uint8_t *codes = rows->rows;
    const int8_t *packed = queries->packed;
    for (size_t i = 0; i < queries->steps; i++) {
        const __m512i q0 = _mm512_loadu_si512(packed + 128 * i), q1 = _mm512_loadu_si512(packed + 128 * i + 64);
#pragma clang loop unroll(full)
        for (int r = 0; r < tile_rows; r++) {
            int32_t bytes;
            memcpy(&bytes, codes + (size_t)r * rows->stride + 4 * i, 4);
            const __m512i x = _mm512_set1_epi32(bytes);
            sums[r][0] = _mm512_dpbusd_epi32(sums[r][0], x, q0);
            sums[r][1] = _mm512_dpbusd_epi32(sums[r][1], x, q1);
        }
        _mm_prefetch(rows->near + 64 * i, _MM_HINT_T0);
        _mm_prefetch(rows->ahead + 64 * i, _MM_HINT_T1);
    }
    const __m512 bars[2] = {_mm512_loadu_ps(queries->bars), _mm512_loadu_ps(queries->bars + 16)};
    __m512 scores[tile_rows][2], best[2] = {_mm512_set1_ps(-INFINITY), _mm512_set1_ps(-INFINITY)};
#pragma clang loop unroll(full)
    for (int r = 0; r < tile_rows; r++) {
        const __m512 scale = _mm512_set1_ps(rows->scales[r]);
#pragma clang loop unroll(full)
        for (int v = 0; v < 2; v++) {
            scores[r][v] = _mm512_mul_ps(_mm512_cvtepi32_ps(sums[r][v]), scale);
            // The maximum with NaN is its second operand, so a row with a NaN scale never counts.
            best[v] = _mm512_max_ps(scores[r][v], best[v]);
        }
    }
    if (!(_mm512_cmp_ps_mask(best[0], bars[0], _CMP_GE_OQ) | _mm512_cmp_ps_mask(best[1], bars[1], _CMP_GE_OQ))) return 0;
    uint32_t met = 0;
#pragma clang loop unroll(full)
    for (int r = 0; r < tile_rows; r++) {
        const __mmask16 low = _mm512_cmp_ps_mask(scores[r][0], bars[0], _CMP_GE_OQ);
        const __mmask16 high = _mm512_cmp_ps_mask(scores[r][1], bars[1], _CMP_GE_OQ);
        hits->masks[r] = _cvtmask32_u32(_mm512_kunpackw(high, low));
        met |= (uint32_t)(hits->masks[r] != 0) << r;
        _mm512_storeu_ps(hits->scores + 32 * r, scores[r][0]);
        _mm512_storeu_ps(hits->scores + 32 * r + 16, scores[r][1]);
    }
    hits->rows = met;
    return 1;
}

#include "rotate.h"

/// Eight codes at a time.
static double code_vector(double *wide, size_t padded, double norm, int32_t limit, int32_t *codes, float *step) {
    knot_rotate(wide, padded);
    __m512d most = _mm512_setzero_pd(), errors = _mm512_setzero_pd();
    for (size_t i = 0; i < padded; i += 8) most = _mm512_max_pd(most, _mm512_abs_pd(_mm512_loadu_pd(wide + i)));
    *step = (float)(_mm512_reduce_max_pd(most) / norm / limit);
    const __m512d inverse = _mm512_set1_pd(1 / norm), unstep = _mm512_set1_pd(1 / norm / *step), steps = _mm512_set1_pd(*step);
    const __m256i most_code = _mm256_set1_epi32(limit), least_code = _mm256_set1_epi32(-limit);
    for (size_t i = 0; i < padded; i += 8) {
        const __m512d x = _mm512_loadu_pd(wide + i);
        __m256i c = _mm512_cvtpd_epi32(_mm512_mul_pd(x, unstep));
        c = _mm256_max_epi32(_mm256_min_epi32(c, most_code), least_code);
        const __m512d left = _mm512_fnmadd_pd(steps, _mm512_cvtepi32_pd(c), _mm512_mul_pd(x, inverse));
        errors = _mm512_fmadd_pd(left, left, errors);
        _mm256_storeu_si256((__m256i *)(codes + i), c);
    }
    return _mm512_reduce_add_pd(errors);
}

// Floats are as with AVX-512 alone.
#define KNOT_DOUBLES 8
#define KNOT_ROWS_AT_ONCE 4
#include "canonical.h"

#define KNOT_FLOATS 16
#define KNOT_TILE_ROWS tile_rows
#define KNOT_TILE_VECTORS 2
#define KNOT_NARROW_ROWS 4
#define KNOT_NARROW_COLUMNS 6
#define KNOT_MASK(flags) ((uint32_t)_mm512_test_epi32_mask((__m512i)(flags), (__m512i)(flags)))
#include "float_scan.h"
#include "float_tile.h"
#include "tiny.h"
#include "table.h"

#pragma clang attribute pop

#define CODED_KERNELS \
    .code = code_vector, .byte_tile = byte_tile, .byte_scan = byte_scan, .code_nibbles = knot_vnni_code_nibbles, \
    .nibble_scan = knot_vnni_nibble_scan

const knot_kernels knot_kernels_vnni[2] = {
    {.name = "vnni", KNOT_INCLUDED_KERNELS, CODED_KERNELS, KNOT_KEEPING},
    {.name = "vnni", KNOT_INCLUDED_KERNELS, CODED_KERNELS, KNOT_PASSING},
};

#endif
