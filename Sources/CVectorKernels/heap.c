/// The heap of a process that makes one answer and ends.
#include "CVectorKernels.h"

#include <malloc.h>

int knot_keep_heap(void) {
#ifdef __GLIBC__
    const int page = 4096, piece = 1024 * page, most = 8 * piece;
    // Other arenas than the first grow page by page, each with a call of the system; and what is given back is soon wanted.
    return mallopt(M_ARENA_MAX, 1) && mallopt(M_TOP_PAD, piece) && mallopt(M_TRIM_THRESHOLD, most) &&
        mallopt(M_MMAP_THRESHOLD, most);
#else
    return 1;
#endif
}
