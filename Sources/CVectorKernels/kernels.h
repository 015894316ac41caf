/// What the files of this room share: the dispatch table and the shapes its kernels work on.
#ifndef KNOT_KERNELS_H
#define KNOT_KERNELS_H

#include <math.h>
#include <string.h>

#include "CVectorKernels.h"

#pragma clang assume_nonnull begin

/// Canonical sums run in this many lanes: element i is added to lane i % 16, then lane j takes lane j + 8, j + 4, j + 2, j + 1.
#define KNOT_CANONICAL_LANES 16
/// The tallest and widest tile of any variant, for scratch space on the stack.
#define KNOT_MAX_TILE_ROWS 12
#define KNOT_MAX_TILE_LANES 32
#define KNOT_MAX_NARROW_COLUMNS 8
/// Tiles of one block of rows, which stays in the second-level cache while all queries pass over it.
#define KNOT_BLOCK_TILES 16
#define KNOT_MAX_BLOCK_ROWS (KNOT_BLOCK_TILES * KNOT_MAX_TILE_ROWS)
/// Rows one call of a byte scan looks at.
#define KNOT_SCAN_ROWS 256
/// Rows one call of a scan by floats looks at.
#define KNOT_FLOAT_ROWS 32
/// What single precision may be wrong by, in units of the lengths' product; derived in search_tiles.c.
static inline float knot_float_error(uint32_t dimension) { return ((float)dimension + 16) * 5.9604645e-8f * 1.01f; }
/// Lengths that single precision can work with.
static inline int knot_is_ruly(double norm) { return norm >= 0x1p-60 && norm <= 0x1p60; }

/// What a tile found: for each row a mask of the lanes at or above their bar, and all scores, written only if any is.
typedef struct {
    uint32_t rows;  ///< a bit for each row whose mask is not empty
    uint32_t masks[KNOT_MAX_TILE_ROWS];
    float scores[KNOT_MAX_TILE_ROWS * KNOT_MAX_TILE_LANES];
} knot_tile_hits;

/// Rows of a tile as the arithmetic wants them, and the memory to bring nearer while it runs.
typedef struct {
    const void *rows;
    size_t stride;  ///< bytes from row to row
    const float *scales;  ///< what a row's sums are multiplied by; NaN for a row that must not be found
    const char *near;  ///< what the next tile will read, to be brought into the first-level cache
    const char *ahead;  ///< what the next block will read, to be brought into the second-level cache
} knot_tile_rows;

/// One lane for each query of a group.
typedef struct {
    const void *packed;  ///< all lanes' first step, then all lanes' second step, …
    size_t steps;  ///< steps of one float, or of four bytes
    const int32_t *_Nullable starts;  ///< what byte sums start from
    const float *bars;  ///< the least score of interest
} knot_tile_queries;

/// One query for a byte scan, its codes padded with zeros to 64 bytes.
typedef struct {
    const int8_t *codes;
    size_t chunks;  ///< of 64 bytes
    int32_t start;
    float scale;
    float reach;  ///< the share of a row's own reach added to the query's error, see encode.c
} knot_scan_query;

/// Up to KNOT_SCAN_ROWS rows, in a row of memory or picked one by one.
typedef struct {
    const uint8_t *codes;
    size_t stride;
    const float *scales;
    const float *reaches;
    const uint32_t *_Nullable picks;  ///< offsets from `codes`, `scales` and `reaches`; NULL: 0, 1, 2, …
    uint32_t count;
    int from_memory;  ///< whether the rows are unlikely to be in a cache
} knot_scan_rows;

typedef struct {
    uint32_t row;  ///< position within the scanned rows
    float score;
} knot_scan_hit;

typedef struct {
    uint32_t row;  ///< position within the scanned rows
    float score;
    float upper;  ///< what the score may be at most, but for the query's error
} knot_nibble_hit;

/// Prefetches a line past the caches or into all of them. `passes` is a constant, so that no branch remains.
static inline __attribute__((always_inline)) void knot_ask(const char *line, int passes) {
    if (passes) __builtin_prefetch(line, 0, 0);
    else __builtin_prefetch(line, 0, 3);
}

/// A CPU looks ahead within a page of memory and begins anew with each. A row's reader asks for the first lines of the pages
/// that begin well behind it, so that they are known to be read when their turn comes.
static inline __attribute__((always_inline)) void knot_ask_for_pages(const float *row, size_t dimension, int passes) {
    enum { page = 4096, ahead = 16 << 10 };
    for (size_t byte = 0; byte < dimension * sizeof(float); byte += page) {
        const char *next = (const char *)(((uintptr_t)row + byte + ahead + page - 1) & ~(uintptr_t)(page - 1));
        knot_ask(next, passes);
        knot_ask(next + 64, passes);
    }
}

/// So few rows of so few dimensions are searched without shortlists or memory of their own.
#define KNOT_TINY_ROWS 64
#define KNOT_TINY_DIMENSION 1024
/// How far ahead of what it reads such a search asks for memory.
#define KNOT_TINY_AHEAD (12u << 10)
/// The best rows are kept in so many places, or in KNOT_TINY_ROWS if more are wanted.
#define KNOT_PLACES 16

/// A few rows to be ranked by their canonical scores with two queries.
typedef struct {
    const knot_rows *rows;
    const uint32_t *picks;  ///< `count` of the rows, at least one
    uint32_t count;
    uint32_t limit;  ///< so many of the best are wanted
    const float *_Nonnull queries[2];
    const char *later;  ///< `later_bytes` that are needed after this
    size_t later_bytes;
    uint32_t usable;  ///< picks that are not void; the best of them stand in `scores` and `order`
    double norms[2];  ///< of the queries
    _Alignas(64) float scores[2][KNOT_TINY_ROWS];  ///< largest first, equal ones in the order of picks
    _Alignas(64) int32_t order[2][KNOT_TINY_ROWS];  ///< which picks have them
    _Alignas(64) double wide[2][KNOT_TINY_DIMENSION];  ///< room for the queries in doubles, padded to whole lanes
} knot_tiny;

struct knot_kernels {
    const char *name;
    int passes_caches;  ///< whether the scan by floats prefetches past the caches, see float_scan.h
    /// Canonical products of four rows with a query given in doubles, padded with zeros to whole lanes. `next` are the rows
    /// that will be asked for soon: they are brought nearer meanwhile.
    void (*dots)(
        const float *_Nonnull const rows[_Nonnull 4], const float *_Nonnull const next[_Nonnull 4], const double *query,
        size_t dimension, double sums[_Nonnull 4]);
    /// Ranks a few rows, see knot_tiny.
    void (*tiny)(knot_tiny *tiny);
    /// A row in doubles, padded with zeros to whole lanes, and the sum of its squares: its product with itself.
    double (*widen)(const float *row, size_t dimension, double *wide);
    /// The products of up to KNOT_FLOAT_ROWS rows with a query, added up in single precision in some order: rows that follow
    /// one another, or those picked.
    void (*_Nullable float_scan)(
        const float *rows, size_t stride, const uint32_t *_Nullable picks, uint32_t count, const float *query, size_t dimension,
        float *products);
    uint32_t tile_rows;  ///< 0: this variant has no tiles and scores every pair canonically
    uint32_t tile_lanes;
    /// Single-precision scores of a tile; whether any reached its bar.
    int (*_Nullable float_tile)(const knot_tile_rows *rows, const knot_tile_queries *queries, knot_tile_hits *hits);
    /// Single-precision sums of a tile into `out`, `out_stride` floats from row to row; `ahead` is needed soon.
    void (*_Nullable product_tile)(
        const float *rows, size_t stride, const float *packed, size_t dimension, const void *ahead, float *out,
        size_t out_stride);
    /// The same for half as many columns.
    void (*_Nullable product_strip)(
        const float *rows, size_t stride, const float *packed, size_t dimension, float *out, size_t out_stride);
    uint32_t narrow_rows;
    uint32_t narrow_columns;
    /// The same for few columns, which are not packed: narrow_columns of them, narrow_rows rows.
    void (*_Nullable product_narrow)(
        const float *rows, size_t stride, const float *_Nonnull const *_Nonnull columns, size_t dimension, float *out,
        size_t out_stride);
    /// Rotates a vector given in doubles, a multiple of 64, and codes it in -limit…limit. Returns the square of the distance
    /// between step × codes and the direction. NULL: the plain one in encode.c.
    double (*_Nullable code)(double *wide, size_t padded, double norm, int32_t limit, int32_t *codes, float *step);
    /// The same in four bits, by its scale and the levels of nibbles.h. NULL: the plain one in nibbles.c.
    double (*_Nullable code_nibbles)(double *wide, size_t padded, double norm, uint8_t *codes, float *scale);
    /// Like float_tile over byte codes.
    int (*_Nullable byte_tile)(const knot_tile_rows *rows, const knot_tile_queries *queries, knot_tile_hits *hits);
    /// Rows whose byte score plus reach is at least `bar`.
    uint32_t (*_Nullable byte_scan)(const knot_scan_rows *rows, const knot_scan_query *query, float bar, knot_scan_hit *hits);
    /// Positions of the rows whose bound by four-bit codes is at least `bar`, see nibbles.h; its chunks are of 128 dimensions.
    uint32_t (*_Nullable nibble_scan)(const knot_scan_rows *rows, const knot_scan_query *query, float bar, knot_nibble_hit *hits);
};

extern const knot_kernels knot_kernels_scalar;
#if defined(__x86_64__)
double knot_vnni_code_nibbles(double *wide, size_t padded, double norm, uint8_t *codes, float *scale);
uint32_t knot_vnni_nibble_scan(const knot_scan_rows *rows, const knot_scan_query *query, float bar, knot_nibble_hit *hits);
/// Each kind twice: its scan by floats prefetches into the caches [0], or past them [1].
extern const knot_kernels knot_kernels_sse2[2], knot_kernels_avx2[2], knot_kernels_avx512[2], knot_kernels_vnni[2];
#endif

/// The canonical length of one row, 0 if it is void. `wide` has room for the row padded to whole lanes and keeps it in doubles.
double knot_length(const knot_kernels *kernels, const float *row, size_t dimension, double *wide);
/// The length from the canonical product of a vector with itself.
static inline double knot_length_of_squares(double squares) {
    return isfinite(squares) ? __builtin_elementwise_sqrt(squares) : 0;
}
/// The canonical cosine from a canonical product.
static inline float knot_cosine(double product, double left, double right) { return (float)(product / (left * right)); }

/// A query's byte codes and what is known of them.
typedef struct {
    float scale;
    float error;  ///< at least the distance of the codes from the unit query
    int32_t sum;  ///< of the codes
} knot_coded;

/// A query of that length in bytes, as many as the dimension rounded up to 64.
knot_coded knot_encode_query(const knot_kernels *kernels, const double *wide, double norm, size_t dimension, int8_t *codes);
/// A float not below a measured distance.
static inline float knot_at_least(double distance) { return nextafterf((float)(distance * (1 + 1e-6) + 1e-9), INFINITY); }
static inline size_t knot_round_up(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

#pragma clang assume_nonnull end

#endif
