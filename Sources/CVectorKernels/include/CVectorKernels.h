/// Exact cosine search over rows of floats, one implementation per CPU kind behind one dispatch table.
///
/// Two kinds of numbers appear here. *Canonical* scores are worked out in double precision in one fixed order, so that
/// every variant gives the same bits; everything a caller sees of a search is canonical. *Fast* scores are worked out in
/// single precision or in bytes; they only decide which rows are worth a canonical score, and their distance from the
/// truth is bounded (see search.c). Dense tables are the exception: `knot_products` is fast arithmetic for bulk work.
///
/// A row is *void* when it has no direction: all zeros, or not finite. Void rows are never returned.
#ifndef KNOT_VECTOR_KERNELS_H
#define KNOT_VECTOR_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Rows longer than this are refused.
#define KNOT_MAX_DIMENSION 4096

/// One CPU kind's kernels. Reached only through the two functions below.
typedef struct knot_kernels knot_kernels;

/// The kernels of that name ("scalar", "sse2", "avx2", "avx512", "vnni"), or NULL when unknown or this CPU lacks them.
const knot_kernels *_Nullable knot_kernels_named(const char *name);
/// The fastest kernels this CPU has.
const knot_kernels *knot_kernels_best(void);
/// The name of the n-th kind from the slowest to the fastest, present or not; NULL past the end.
const char *_Nullable knot_kernels_name_at(size_t position);
const char *knot_kernels_name(const knot_kernels *kernels);
/// Whether scans by floats prefetch rows past the caches instead of into them; the CPU's vendor decides.
int knot_kernels_pass_caches(const knot_kernels *kernels);
/// Returns these kernels with the other kind of prefetch, for measurements; NULL if they don't prefetch.
const knot_kernels *_Nullable knot_kernels_otherwise(const knot_kernels *kernels);
/// Whether searches by byte codes are faster than by floats with these kernels.
int knot_kernels_use_codes(const knot_kernels *kernels);

/// What a search reads. Nothing is owned, nothing needs to be aligned (64 bytes are faster).
typedef struct {
    const float *values;  ///< row-major, `stride` floats from row to row
    size_t stride;
    uint32_t count;
    uint32_t dimension;
    const double *_Nullable norms;  ///< from knot_norms; 0 for a void row; NULL: not known, each search works them out
    const uint8_t *_Nullable codes;  ///< from knot_encode, `code_stride` bytes from row to row; NULL: search the floats
    size_t code_stride;
    const float *_Nullable scales;
    const float *_Nullable reaches;
    const uint8_t *_Nullable nibbles;  ///< from knot_encode_nibbles, beside codes; NULL: search the codes
    size_t nibble_stride;
    const float *_Nullable nibble_scales;
    const float *_Nullable nibble_reaches;
    uint32_t nibble_floor;  ///< searches of fewer allowed rows leave the nibbles alone: they would spare too little
} knot_rows;

/// A row and its canonical cosine with a query.
typedef struct {
    uint32_t row;
    float score;
} knot_match;

/// A row that may be among a query's best, with bounds of its canonical cosine. They are equal once that is known.
typedef struct {
    float upper;
    float lower;
    uint32_t row;
} knot_suspect;

typedef struct {
    const float *queries;
    size_t query_stride;
    uint32_t query_count;
    uint32_t limit;  ///< the most matches for a query
    float threshold;  ///< matches score at least this much; -INFINITY for no threshold
    uint32_t first_row;  ///< the part of the rows to search
    uint32_t row_count;
    const uint64_t *_Nullable allowed;  ///< one bit for each row of the whole, from the lowest bit of the first word
} knot_request;

/// How much work a search did, for tests and benchmarks.
typedef struct {
    uint64_t scanned;  ///< pairs of a row and a query that got a fast score
    uint64_t rescored;  ///< pairs that got a canonical score
} knot_effort;

enum { KNOT_OK = 0, KNOT_OUT_OF_MEMORY = 1, KNOT_BAD_REQUEST = 2 };

/// The best rows for each query, best first, equal scores by row number. `matches` has room for `limit` of each query,
/// one query after another; `found` says how many there are. A void query finds nothing.
int knot_search(
    const knot_kernels *kernels, const knot_rows *rows, const knot_request *request, knot_match *matches,
    uint32_t *found, knot_effort *_Nullable effort);

/// Finds for each query every row that may be among its best, in no order. With codes, hardly any row is read. `suspects`
/// has room for knot_suspect_room rows of each query. The norms must be known.
int knot_search_suspects(
    const knot_kernels *kernels, const knot_rows *rows, const knot_request *request, knot_suspect *suspects, uint32_t *found);

/// How many rows knot_search_suspects writes for a query at most.
size_t knot_suspect_room(uint32_t limit, uint32_t rows);

/// Canonical Euclidean lengths of rows; 0 for a void row.
void knot_norms(
    const knot_kernels *kernels, const float *values, size_t stride, size_t count, size_t dimension, double *norms);

/// Canonical cosines of every left row with every right row, row by row; 0 where either is void.
void knot_cosines(
    const knot_kernels *kernels, const float *left, size_t left_stride, const double *left_norms, size_t left_count,
    const float *right, size_t right_stride, const double *right_norms, size_t right_count, size_t dimension,
    float *out);

/// Byte codes of rows. `code_stride` is at least the dimension rounded up to 64; padding is filled. `norms` as from knot_norms.
void knot_encode(
    const knot_kernels *kernels, const float *values, size_t stride, const double *norms, size_t count,
    size_t dimension, uint8_t *codes, size_t code_stride, float *scales, float *reaches);

/// Four-bit codes of rows, which one query reads before the byte codes. `nibble_stride` is at least half the dimension rounded
/// up to 128; padding is filled.
void knot_encode_nibbles(
    const knot_kernels *kernels, const float *values, size_t stride, const double *norms, size_t count,
    size_t dimension, uint8_t *nibbles, size_t nibble_stride, float *scales, float *reaches);

/// Fast products of every left row with every right row: out[l * out_stride + r]. Single precision; returns KNOT_OK or
/// KNOT_OUT_OF_MEMORY.
int knot_products(
    const knot_kernels *kernels, const float *left, size_t left_stride, size_t left_count, const float *right,
    size_t right_stride, size_t right_count, size_t dimension, float *out, size_t out_stride);

/// CRC32C (Castagnoli) of bytes, going on from `crc` (0 to begin).
uint32_t knot_crc32c(uint32_t crc, const void *_Nullable bytes, size_t count);

/// Guards a mapped file against being cut short: pages that are gone read as zeros instead of ending the process. Returns a
/// slot for the calls below, or -1 where there is none left, and then the mapping is as it would be without.
int knot_guard_mapping(const void *start, size_t length);

/// Whether a page of a guarded mapping was gone when it was read.
int knot_mapping_is_cut(int slot);

/// Ends the guard, before the mapping ends.
void knot_release_mapping(int slot);

/// From now on the heap grows in large pieces and gives none back: for a process that makes one answer and ends. Returns 0
/// where the system's heap takes no such wish.
int knot_keep_heap(void);

#pragma clang assume_nonnull end

#endif
