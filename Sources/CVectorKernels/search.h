/// One search under way, shared by the three ways through the rows: canonical.c… see search.c for which is taken when.
#ifndef KNOT_SEARCH_H
#define KNOT_SEARCH_H

#include "shortlist.h"

#pragma clang assume_nonnull begin

/// Covers the rounding of byte scores, derived in encode.c: 2⁻²¹.
#define KNOT_CODE_SLACK 4.76837158e-7f
/// Fewer queries than this pass over the rows one by one; more share tiles.
#define KNOT_FEW_QUERIES 8

/// What is larger will hardly be found in a cache: asking for it early is worth an instruction.
#define KNOT_NEAR_BYTES (4u << 20)

/// Queries that share a pass over the rows. By codes, their packed forms and shortlists stay in the second-level cache; by
/// floats it is the rows that do, and packed queries come from the third level, so slowly that nothing waits for them.
#define KNOT_CODED_AT_ONCE 64
#define KNOT_FLOATS_AT_ONCE 256
#define KNOT_YOUNG_BLOCKS 4

typedef struct {
    uint32_t next;  ///< the first row not yet visited
    uint32_t end;
} knot_stream;

typedef struct {
    knot_court court;
    const knot_request *request;
    knot_shortlist *lists;  ///< one for each query
    uint32_t queries;
    uint32_t young;  ///< blocks of rows in which each tile raises the cuts
    knot_stream whole;  ///< all rows of the request, for those who visit them in order
} knot_search_state;

/// The next rows of a stream that may be returned, by number, up to `most` of them.
static inline uint32_t knot_next_picks(
    const knot_request *request, knot_stream *stream, uint32_t *picks, uint32_t most) {
    const uint64_t *allowed = request->allowed;
    uint32_t count = 0;
    if (!allowed) {
        const uint32_t left = stream->end - stream->next, all = left < most ? left : most;
        for (; count < all; count++) picks[count] = stream->next + count;
        stream->next += all;
        return all;
    }
    while (count < most && stream->next < stream->end) {
        const uint64_t word = allowed[stream->next >> 6] >> (stream->next & 63);
        if (!word) {
            stream->next = (stream->next | 63) + 1;
            continue;
        }
        stream->next += (uint32_t)__builtin_ctzll(word);
        if (stream->next >= stream->end) break;
        picks[count++] = stream->next++;
    }
    return count;
}

/// So few rows of so few dimensions are searched without shortlists or memory of their own.
#define KNOT_TINY_ROWS 64
#define KNOT_TINY_DIMENSION 1024
/// Rows that such a search asks for ahead.
#define KNOT_TINY_AHEAD 3

int knot_search_tiny(
    const knot_kernels *kernels, const knot_rows *rows, const knot_request *request, knot_match *matches,
    uint32_t *found, knot_effort *_Nullable effort);
int knot_search_canonical(knot_search_state *state);
int knot_search_scan(knot_search_state *state);
int knot_search_tiles(knot_search_state *state, int by_codes);

#pragma clang assume_nonnull end

#endif
