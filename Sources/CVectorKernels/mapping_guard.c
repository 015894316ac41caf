/// Mapped files that somebody cuts short: instead of a signal that ends the process, the missing pages read as zeros and the
/// mapping says so.
///
/// A page behind a file's end raises SIGBUS when it is touched. The handler looks whether the address lies in a guarded
/// mapping; if so it puts a page of zeros there, notes it, and the instruction is tried again. Every other SIGBUS goes the
/// way it went before. The handler only reads lock-free numbers and calls mmap, which is a bare system call.
#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CVectorKernels.h"

enum { MAPPINGS = 4096 };

/// `length` is 0 where the slot is free; it is written last and read first.
static struct {
    _Atomic uintptr_t start;
    _Atomic size_t length;
    _Atomic int is_taken;
    _Atomic int is_cut;
} mappings[MAPPINGS];

static struct sigaction earlier;
static uintptr_t page_size;
/// 0 before, 1 while and 2 after the handler is put in place; 3 when the system refused it.
static _Atomic int installation;

static void handle(int signal, siginfo_t *info, void *context) {
    (void)context;
    const uintptr_t address = (uintptr_t)info->si_addr;
    for (int slot = 0; slot < MAPPINGS; slot++) {
        const size_t length = atomic_load(&mappings[slot].length);
        const uintptr_t start = atomic_load(&mappings[slot].start);
        if (length == 0 || address < start || address - start >= length) continue;
        void *const page = (void *)(address / page_size * page_size);
        if (mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) break;
        atomic_store(&mappings[slot].is_cut, 1);
        return;
    }
    // None of ours: the instruction is tried again and meets what was there before.
    sigaction(signal, &earlier, NULL);
}

static int install(void) {
    int expected = 0;
    if (!atomic_compare_exchange_strong(&installation, &expected, 1)) {
        while ((expected = atomic_load(&installation)) == 1) {}
        return expected == 2;
    }
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    const int is_installed = sigaction(SIGBUS, &action, &earlier) == 0;
    atomic_store(&installation, is_installed ? 2 : 3);
    return is_installed;
}

int knot_guard_mapping(const void *start, size_t length) {
    if (length == 0 || !install()) return -1;
    for (int slot = 0; slot < MAPPINGS; slot++) {
        int expected = 0;
        if (!atomic_compare_exchange_strong(&mappings[slot].is_taken, &expected, 1)) continue;
        atomic_store(&mappings[slot].is_cut, 0);
        atomic_store(&mappings[slot].start, (uintptr_t)start);
        atomic_store(&mappings[slot].length, length);
        return slot;
    }
    return -1;
}

int knot_mapping_is_cut(int slot) { return slot >= 0 && atomic_load(&mappings[slot].is_cut); }

void knot_release_mapping(int slot) {
    if (slot < 0) return;
    atomic_store(&mappings[slot].length, 0);
    atomic_store(&mappings[slot].is_taken, 0);
}
