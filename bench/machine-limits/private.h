/// What the files of this target share.
#ifndef KNOT_MACHINE_LIMITS_PRIVATE_H
#define KNOT_MACHINE_LIMITS_PRIVATE_H

#include "CMachineLimits.h"
#include <stdint.h>

/// One thread's work: returns how much it did, in bytes or operations, and 0 when the CPU cannot.
typedef double knot_limit_work(const void *context, int thread);

/// Runs the work on that many threads, all starting together, and returns what they did per second.
double knot_limit_timed(knot_limit_work *work, const void *context, int threads);

/// Keeps a result alive: the compiler must believe that somebody reads it.
static inline void knot_limit_keep(uint64_t value) { __asm__ volatile("" : : "r"(value) : "memory"); }

#endif
