/// What this machine can do at most, measured: how fast it reads memory and how many sums and products it makes.
///
/// A kernel's time says little by itself; its share of these limits says how much is left to win. Every function makes
/// one measurement and returns a rate per second, so that the caller can interleave them with what it measures and
/// judge their spread. A rate of 0 means that this CPU lacks the instructions.
#ifndef KNOT_MACHINE_LIMITS_H
#define KNOT_MACHINE_LIMITS_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/// Arithmetic that stays in registers.
typedef enum {
    KNOT_LIMIT_SSE2_MUL_ADD = 0,  ///< single precision, four lanes, a product and a sum apart
    KNOT_LIMIT_AVX2_FMA = 1,  ///< single precision, eight lanes, fused
    KNOT_LIMIT_AVX512_FMA = 2,  ///< single precision, sixteen lanes, fused
    KNOT_LIMIT_AVX512_VNNI = 3,  ///< bytes, sixty-four products summed to sixteen lanes
} knot_limit_arithmetic_kind;

/// How a thread walks through its part of memory.
typedef enum {
    KNOT_LIMIT_ONE_STREAM = 0,  ///< from one end to the other
    KNOT_LIMIT_ONE_STREAM_AHEAD = 1,  ///< the same, asking for lines 12 KiB ahead
    KNOT_LIMIT_FOUR_STREAMS = 2,  ///< four quarters side by side
} knot_limit_walk;

/// Memory on 2 MiB pages where the system grants them, written once so that it is really there. NULL when there is none.
void *_Nullable knot_limit_memory(size_t bytes);
void knot_limit_release(void *memory, size_t bytes);

/// Bytes read per second by all threads together. Thread t reads `span` bytes at `memory + t * span`, `rounds` times.
double knot_limit_read(const void *memory, size_t span, int threads, int rounds, knot_limit_walk walk);

/// Operations per second of all threads together; a product and a sum count as two.
double knot_limit_arithmetic(knot_limit_arithmetic_kind kind, int threads, long rounds);

/// Bytes of memory that are free to use now; 0 when the system does not tell.
size_t knot_limit_free_memory(void);

#pragma clang assume_nonnull end

#endif
