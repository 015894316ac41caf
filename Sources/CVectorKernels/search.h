/// One search under way, shared by the ways through the rows: see search.c for which is taken when.
#ifndef KNOT_SEARCH_H
#define KNOT_SEARCH_H

#include "shortlist.h"

#pragma clang assume_nonnull begin

/// Covers the rounding of byte scores, derived in encode.c: 2⁻²¹.
#define KNOT_CODE_SLACK 4.76837158e-7f
/// Fewer queries than this pass over the rows one by one; more share tiles.
#define KNOT_FEW_QUERIES 8

/// So many queries at most are looked for by four-bit codes first.
#define KNOT_NIBBLE_QUERIES 2

/// What is larger will hardly be found in a cache: asking for it early is worth an instruction.
#define KNOT_NEAR_BYTES (4u << 20)

/// Queries that share a pass over the rows: as many as stay in the second-level cache in their packed form, beside a block of
/// rows. Packed floats come from the third level, so slowly that nothing waits for them.
#define KNOT_AT_ONCE 256
/// Blocks of rows in which each tile raises the cuts.
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
    int may_guess;  ///< see guess.h
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

/// About how many rows are allowed: the words at both ends may count for more.
static inline uint64_t knot_allowed_rows(const knot_request *request) {
    uint64_t allowed = 0;
    if (!request->allowed) return request->row_count;
    for (uint32_t word = request->first_row >> 6; word < (request->first_row + request->row_count + 63) >> 6; word++)
        allowed += (uint64_t)__builtin_popcountll(request->allowed[word]);
    return allowed;
}

int knot_search_tiny(
    const knot_kernels *kernels, const knot_rows *rows, const knot_request *request, knot_match *matches,
    uint32_t *found, knot_effort *_Nullable effort);
int knot_search_canonical(knot_search_state *state);
/// Gives one row its canonical score with one query.
void knot_offer_canonically(knot_search_state *state, uint32_t query, uint32_t row);
int knot_search_floats(knot_search_state *state);
int knot_search_scan(knot_search_state *state);

/// The next rows of the whole that may be returned, up to `most`. Those that follow one another are not written down.
static inline uint32_t knot_next_stretch(
    knot_search_state *state, int picked, uint32_t *picks, uint32_t most, uint32_t *first) {
    knot_stream *stream = &state->whole;
    *first = picked ? 0 : stream->next;
    if (picked) return knot_next_picks(state->request, stream, picks, most);
    const uint32_t left = stream->end - stream->next, count = left < most ? left : most;
    stream->next += count;
    return count;
}

int knot_search_nibbles(knot_search_state *state);
int knot_search_tiles(knot_search_state *state, int by_codes);

#pragma clang assume_nonnull end

#endif
