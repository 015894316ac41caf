/// The heap of a process that makes one answer and ends.
#include "CVectorKernels.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
/// Lets the heap grow by so many bytes at once and asks for large pages under them: of small ones an answer takes thousands,
/// each at the price of a fault. Memory that nobody touches is never given.
static void grow_in_large_pages(size_t bytes) {
    const uintptr_t large = 2 << 20;
    const uintptr_t start = ((uintptr_t)sbrk(0) + large - 1) & ~(large - 1);
    void *volatile first = malloc(bytes / 64);
    const uintptr_t end = (uintptr_t)sbrk(0) & ~(large - 1);
    free(first);
    // It is only a wish; where the system has no large pages, the small ones do.
    if (end > start) madvise((void *)start, end - start, MADV_HUGEPAGE);
}
#endif

int knot_keep_heap(void) {
#ifdef __GLIBC__
    const int piece = 64 << 20;
    // Other arenas than the first grow page by page, each with a call of the system; and what is given back is soon wanted.
    if (!mallopt(M_ARENA_MAX, 1) || !mallopt(M_TOP_PAD, piece) || !mallopt(M_TRIM_THRESHOLD, 2 * piece) ||
        !mallopt(M_MMAP_THRESHOLD, piece / 2)) {
        return 0;
    }
    grow_in_large_pages(piece);
    return 1;
#else
    return 1;
#endif
}
