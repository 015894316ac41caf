/// Reading as fast as the machine can: wide loads folded into a few running values, nothing else.
///
/// Three ways of walking are offered because memory controllers differ: the limit is the best of them. Loads are folded
/// with exclusive or, which costs less than the load itself everywhere, so that only the reading is measured.
#define _GNU_SOURCE
#include "private.h"
#include <string.h>
#include <sys/mman.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

typedef struct {
    const char *memory;
    size_t span;
    int rounds;
    knot_limit_walk walk;
} knot_limit_reading;

/// Reads four stretches of `bytes` (a multiple of 256) side by side, or one when the stride is 0.
typedef uint64_t knot_limit_fold(const char *start, size_t bytes, size_t stride, size_t ahead);

static uint64_t fold_plain(const char *start, size_t bytes, size_t stride, size_t ahead) {
    uint64_t folded[8] = {0};
    (void)ahead;
    for (size_t stretch = 0; stretch < (stride ? 4 : 1); stretch++) {
        const char *from = start + stretch * stride;
        for (size_t i = 0; i + 64 <= bytes; i += 64) {
            uint64_t words[8];
            memcpy(words, from + i, sizeof words);
            for (int w = 0; w < 8; w++) folded[w] ^= words[w];
        }
    }
    uint64_t all = 0;
    for (int w = 0; w < 8; w++) all ^= folded[w];
    return all;
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) static uint64_t fold_avx2(
    const char *start, size_t bytes, size_t stride, size_t ahead) {
    __m256i folded[8];
    for (int f = 0; f < 8; f++) folded[f] = _mm256_setzero_si256();
    size_t stretches = stride ? 4 : 1;
    for (size_t i = 0; i + 256 <= bytes; i += 256) {
        for (size_t s = 0; s < stretches; s++) {
            const char *from = start + s * stride + i;
            if (ahead) {
                for (size_t line = 0; line < 256; line += 64) _mm_prefetch(from + ahead + line, _MM_HINT_T0);
            }
#pragma clang loop unroll(full)
            for (int f = 0; f < 8; f++) {
                folded[f] = _mm256_xor_si256(folded[f], _mm256_loadu_si256((const __m256i *)(from + 32 * f)));
            }
        }
    }
    for (int f = 1; f < 8; f++) folded[0] = _mm256_xor_si256(folded[0], folded[f]);
    return (uint64_t)_mm256_extract_epi64(folded[0], 0) ^ (uint64_t)_mm256_extract_epi64(folded[0], 3);
}

__attribute__((target("avx512f"))) static uint64_t fold_avx512(
    const char *start, size_t bytes, size_t stride, size_t ahead) {
    __m512i folded[8];
    for (int f = 0; f < 8; f++) folded[f] = _mm512_setzero_si512();
    if (stride) {
        for (size_t i = 0; i + 128 <= bytes; i += 128) {
#pragma clang loop unroll(full)
            for (int f = 0; f < 8; f++) {
                const char *from = start + (size_t)(f / 2) * stride + i + (size_t)(f % 2) * 64;
                folded[f] = _mm512_xor_si512(folded[f], _mm512_loadu_si512(from));
            }
        }
    } else {
        for (size_t i = 0; i + 512 <= bytes; i += 512) {
#pragma clang loop unroll(full)
            for (int f = 0; f < 8; f++) {
                const char *from = start + i + (size_t)f * 64;
                if (ahead) _mm_prefetch(from + ahead, _MM_HINT_T0);
                folded[f] = _mm512_xor_si512(folded[f], _mm512_loadu_si512(from));
            }
        }
    }
    for (int f = 1; f < 8; f++) folded[0] = _mm512_xor_si512(folded[0], folded[f]);
    return (uint64_t)_mm512_reduce_add_epi64(folded[0]);
}

#endif

static knot_limit_fold *widest(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return fold_avx512;
    if (__builtin_cpu_supports("avx2")) return fold_avx2;
#endif
    return fold_plain;
}

static double read_part(const void *context, int thread) {
    const knot_limit_reading *reading = context;
    const char *start = reading->memory + (size_t)thread * reading->span;
    knot_limit_fold *fold = widest();
    size_t bytes = reading->span & ~(size_t)4095, stride = 0;
    if (reading->walk == KNOT_LIMIT_FOUR_STREAMS) {
        // Quarters begin a page apart from a power of two, or all four would compete for the same cache sets.
        stride = (bytes / 4) & ~(size_t)4095;
        bytes = stride;
    }
    uint64_t folded = 0;
    for (int round = 0; round < reading->rounds; round++) {
        folded ^= fold(start, bytes, stride, reading->walk == KNOT_LIMIT_ONE_STREAM_AHEAD ? 12 << 10 : 0);
        knot_limit_keep(folded);
    }
    return (double)reading->rounds * (double)bytes * (stride ? 4 : 1);
}

double knot_limit_read(const void *memory, size_t span, int threads, int rounds, knot_limit_walk walk) {
    knot_limit_reading reading = {memory, span, rounds, walk};
    return knot_limit_timed(read_part, &reading, threads);
}

void *knot_limit_memory(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
#if defined(MADV_HUGEPAGE)
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    // Untouched pages are all one page of zeros, which would be read from the cache.
    memset(memory, 0x5A, bytes);
    return memory;
}

void knot_limit_release(void *memory, size_t bytes) { munmap(memory, bytes); }
