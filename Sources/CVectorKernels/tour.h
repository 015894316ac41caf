/// The order in which tiles visit rows: stretch by stretch, and stretches from all over.
///
/// What the first rows tell of the others (guess.h) is worth most if they are like the others, but tables are often in an
/// order, by kind or by age. So rows are cut into stretches long enough to be read at full speed, and each step between two
/// of them is about the golden share of all, which never leaves a large gap for long.
#ifndef KNOT_TOUR_H
#define KNOT_TOUR_H

#include "search.h"

#pragma clang assume_nonnull begin

/// Rows of a stretch, as many times the rows asked for at once.
#define KNOT_STRETCH_BLOCKS 8

typedef struct {
    const knot_request *request;
    uint32_t allowed;  ///< about how many rows there are in all
    uint32_t rows;  ///< of a stretch, but for the last of the table
    uint32_t stretches, step;
    uint32_t at;  ///< the stretch under way
    uint32_t left;  ///< stretches after it
    knot_stream stream;  ///< what is left of it
} knot_tour;

static inline knot_stream knot_stretch_at(const knot_tour *tour, uint32_t at) {
    const uint32_t first = at * tour->rows, rest = tour->request->row_count - first;
    const uint32_t next = tour->request->first_row + first;
    return (knot_stream){next, next + (rest < tour->rows ? rest : tour->rows)};
}

/// Begins a tour on which up to `most` rows at a time will be asked for.
static inline knot_tour knot_tour_begin(const knot_request *request, uint32_t most) {
    const uint32_t count = request->row_count;
    knot_tour tour = {.request = request, .allowed = (uint32_t)knot_allowed_rows(request)};
    // Of rows that a filter leaves, as many as otherwise.
    const uint64_t rows = (uint64_t)most * KNOT_STRETCH_BLOCKS * count / (tour.allowed > 0 ? tour.allowed : 1);
    tour.rows = rows < count ? (uint32_t)rows : count;
    tour.stretches = (count - 1) / tour.rows + 1;
    // A step without a common divisor comes past every stretch.
    for (tour.step = (uint32_t)(tour.stretches * 0.618) + 1;; tour.step++) {
        uint32_t a = tour.step, b = tour.stretches;
        while (b > 0) {
            const uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1) break;
    }
    tour.left = tour.stretches - 1;
    tour.stream = knot_stretch_at(&tour, 0);
    return tour;
}

static inline uint32_t knot_stretch_after(const knot_tour *tour) {
    return (uint32_t)((tour->at + (uint64_t)tour->step) % tour->stretches);
}

/// The next rows that may be returned, up to `most`; 0 at the end.
static inline uint32_t knot_tour_next(knot_tour *tour, uint32_t *picks, uint32_t most) {
    for (;;) {
        const uint32_t count = knot_next_picks(tour->request, &tour->stream, picks, most);
        if (count > 0 || tour->left == 0) return count;
        tour->at = knot_stretch_after(tour);
        tour->stream = knot_stretch_at(tour, tour->at);
        tour->left--;
    }
}

/// A row near the one that comes next.
static inline uint32_t knot_tour_upcoming(const knot_tour *tour) {
    if (tour->stream.next < tour->stream.end) return tour->stream.next;
    return knot_stretch_at(tour, knot_stretch_after(tour)).next;
}

#pragma clang assume_nonnull end

#endif
