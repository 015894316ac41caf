/// Threads that start together, and the time from the first start to the last end.
///
/// The threads wait for one another by spinning: a sleeping thread on a virtual machine wakes milliseconds late, and
/// that delay would be counted as if the memory or the arithmetic were slow.
#define _GNU_SOURCE
#include "private.h"
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

typedef struct {
    knot_limit_work *work;
    const void *context;
    atomic_int *ready;
    int thread, threads;
    double begin, end, done;
} knot_limit_runner;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void *run(void *argument) {
    knot_limit_runner *runner = argument;
    atomic_fetch_add(runner->ready, 1);
    while (atomic_load_explicit(runner->ready, memory_order_acquire) < runner->threads) {}
    runner->begin = seconds();
    runner->done = runner->work(runner->context, runner->thread);
    runner->end = seconds();
    return NULL;
}

double knot_limit_timed(knot_limit_work *work, const void *context, int threads) {
    if (threads < 1 || threads > MOST_THREADS) return 0;
    knot_limit_runner runners[MOST_THREADS];
    pthread_t handles[MOST_THREADS];
    atomic_int ready = 0;
    for (int t = 0; t < threads; t++) {
        runners[t] = (knot_limit_runner){work, context, &ready, t, threads, 0, 0, 0};
    }
    int started = 1;
    while (started < threads && pthread_create(&handles[started], NULL, run, &runners[started]) == 0) started++;
    // Threads that could not be had are counted as arrived, or the others would wait for ever.
    atomic_fetch_add(&ready, threads - started);
    run(&runners[0]);
    double begin = runners[0].begin, end = runners[0].end, done = runners[0].done;
    for (int t = 1; t < started; t++) {
        pthread_join(handles[t], NULL);
        if (runners[t].begin < begin) begin = runners[t].begin;
        if (runners[t].end > end) end = runners[t].end;
        done += runners[t].done;
    }
    return started == threads && end > begin ? done / (end - begin) : 0;
}

size_t knot_limit_free_memory(void) {
    long pages = sysconf(_SC_AVPHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? (size_t)pages * (size_t)bytes : 0;
}
