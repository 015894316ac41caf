/// Which kernels this CPU has. Asked of the CPU once for each name; nothing is written after the program is loaded.
#include <string.h>

#include "kernels.h"

static const char *const names[] = {"scalar", "sse2", "avx2", "avx512", "vnni"};

/// The kernels of one kind that prefetch past the caches or into them.
static const knot_kernels *_Nullable at(size_t position, int passes) {
    (void)passes;
    switch (position) {
    case 0: return &knot_kernels_scalar;
#if defined(__x86_64__)
    case 1: return &knot_kernels_sse2[passes];
    case 2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &knot_kernels_avx2[passes] : NULL;
    case 3: return __builtin_cpu_supports("avx512f") ? &knot_kernels_avx512[passes] : NULL;
    case 4:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni")
            ? &knot_kernels_vnni[passes]
            : NULL;
#endif
    default: return NULL;
    }
}

static const knot_kernels *_Nullable present(size_t position) {
#if defined(__x86_64__)
    // Past the caches is at least as fast on Zen, and at most half as fast on Intel's servers.
    return at(position, __builtin_cpu_is("amd") != 0);
#else
    return at(position, 0);
#endif
}

const char *knot_kernels_name_at(size_t position) {
    return position < sizeof names / sizeof *names ? names[position] : NULL;
}

const knot_kernels *knot_kernels_named(const char *name) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return present(i);
    return NULL;
}

const knot_kernels *knot_kernels_best(void) {
    const knot_kernels *best = &knot_kernels_scalar;
    for (size_t i = 1; i < sizeof names / sizeof *names; i++) {
        const knot_kernels *found = present(i);
        if (found) best = found;
    }
    return best;
}

const char *knot_kernels_name(const knot_kernels *kernels) { return kernels->name; }

int knot_kernels_pass_caches(const knot_kernels *kernels) { return kernels->passes_caches; }

const knot_kernels *_Nullable knot_kernels_otherwise(const knot_kernels *kernels) {
    for (size_t i = 1; i < sizeof names / sizeof *names; i++)
        if (kernels == at(i, kernels->passes_caches)) return at(i, !kernels->passes_caches);
    return NULL;
}

int knot_kernels_use_codes(const knot_kernels *kernels) { return kernels->byte_tile != NULL; }
