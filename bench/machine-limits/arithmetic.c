/// Arithmetic as fast as the machine can: independent chains of one instruction, all in registers.
///
/// An instruction that takes four cycles and can start twice a cycle needs eight chains to be always busy; there are
/// more here, as many as the registers hold. The operands are hidden from the compiler, so that nothing folds away.
#include "private.h"

#if defined(__x86_64__)
#include <immintrin.h>

typedef struct {
    knot_limit_arithmetic_kind kind;
    long rounds;
} knot_limit_sums;

static double sse2_mul_add(long rounds) {
    enum { CHAINS = 10 };
    __m128 sum[CHAINS], factor = _mm_set1_ps(0.5f), other = _mm_set1_ps(0.25f);
    for (int c = 0; c < CHAINS; c++) sum[c] = _mm_set1_ps((float)c);
    for (long round = 0; round < rounds; round++) {
#pragma clang loop unroll(full)
        for (int c = 0; c < CHAINS; c++) {
            // As if it changed: otherwise the product would be made once, before the loop.
            __asm__ volatile("" : "+x"(factor));
            sum[c] = _mm_add_ps(sum[c], _mm_mul_ps(factor, other));
        }
    }
    for (int c = 1; c < CHAINS; c++) sum[0] = _mm_add_ps(sum[0], sum[c]);
    knot_limit_keep((uint64_t)_mm_cvtss_f32(sum[0]));
    return (double)rounds * CHAINS * 4 * 2;
}

__attribute__((target("avx2,fma"))) static double avx2_fma(long rounds) {
    enum { CHAINS = 12 };
    __m256 sum[CHAINS], factor = _mm256_set1_ps(0.5f), other = _mm256_set1_ps(0.25f);
    __asm__ volatile("" : "+x"(factor), "+x"(other));
    for (int c = 0; c < CHAINS; c++) sum[c] = _mm256_set1_ps((float)c);
    for (long round = 0; round < rounds; round++) {
#pragma clang loop unroll(full)
        for (int c = 0; c < CHAINS; c++) sum[c] = _mm256_fmadd_ps(sum[c], factor, other);
    }
    for (int c = 1; c < CHAINS; c++) sum[0] = _mm256_add_ps(sum[0], sum[c]);
    knot_limit_keep((uint64_t)_mm256_cvtss_f32(sum[0]));
    return (double)rounds * CHAINS * 8 * 2;
}

__attribute__((target("avx512f"))) static double avx512_fma(long rounds) {
    enum { CHAINS = 24 };
    __m512 sum[CHAINS], factor = _mm512_set1_ps(0.5f), other = _mm512_set1_ps(0.25f);
    __asm__ volatile("" : "+v"(factor), "+v"(other));
    for (int c = 0; c < CHAINS; c++) sum[c] = _mm512_set1_ps((float)c);
    for (long round = 0; round < rounds; round++) {
#pragma clang loop unroll(full)
        for (int c = 0; c < CHAINS; c++) sum[c] = _mm512_fmadd_ps(sum[c], factor, other);
    }
    for (int c = 1; c < CHAINS; c++) sum[0] = _mm512_add_ps(sum[0], sum[c]);
    knot_limit_keep((uint64_t)_mm512_reduce_add_ps(sum[0]));
    return (double)rounds * CHAINS * 16 * 2;
}

__attribute__((target("avx512f,avx512vnni"))) static double avx512_vnni(long rounds) {
    enum { CHAINS = 24 };
    __m512i sum[CHAINS], left = _mm512_set1_epi8(3), right = _mm512_set1_epi8(-2);
    __asm__ volatile("" : "+v"(left), "+v"(right));
    for (int c = 0; c < CHAINS; c++) sum[c] = _mm512_set1_epi32(c);
    for (long round = 0; round < rounds; round++) {
#pragma clang loop unroll(full)
        for (int c = 0; c < CHAINS; c++) sum[c] = _mm512_dpbusd_epi32(sum[c], left, right);
    }
    for (int c = 1; c < CHAINS; c++) sum[0] = _mm512_add_epi32(sum[0], sum[c]);
    knot_limit_keep((uint64_t)_mm512_reduce_add_epi32(sum[0]));
    return (double)rounds * CHAINS * 64 * 2;
}

static double part(const void *context, int thread) {
    const knot_limit_sums *sums = context;
    (void)thread;
    switch (sums->kind) {
    case KNOT_LIMIT_SSE2_MUL_ADD: return sse2_mul_add(sums->rounds);
    case KNOT_LIMIT_AVX2_FMA: return avx2_fma(sums->rounds);
    case KNOT_LIMIT_AVX512_FMA: return avx512_fma(sums->rounds);
    case KNOT_LIMIT_AVX512_VNNI: return avx512_vnni(sums->rounds);
    }
    return 0;
}

static int is_there(knot_limit_arithmetic_kind kind) {
    switch (kind) {
    case KNOT_LIMIT_SSE2_MUL_ADD: return 1;
    case KNOT_LIMIT_AVX2_FMA: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case KNOT_LIMIT_AVX512_FMA: return __builtin_cpu_supports("avx512f");
    case KNOT_LIMIT_AVX512_VNNI: return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni");
    }
    return 0;
}

double knot_limit_arithmetic(knot_limit_arithmetic_kind kind, int threads, long rounds) {
    if (!is_there(kind)) return 0;
    knot_limit_sums sums = {kind, rounds};
    return knot_limit_timed(part, &sums, threads);
}

#else

double knot_limit_arithmetic(knot_limit_arithmetic_kind kind, int threads, long rounds) {
    (void)kind, (void)threads, (void)rounds;
    return 0;
}

#endif
