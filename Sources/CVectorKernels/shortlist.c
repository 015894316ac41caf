#include "shortlist.h"

#include <math.h>
#include <stdlib.h>

/// Up to so many entries are not all judged, but the most promising first.
enum { KNOT_FEW_ENTRIES = 256 };

/// The `nth` largest of `count` values (1 is the largest); reorders them. Quickselect with the median of three.
static float nth_largest(float *values, uint32_t count, uint32_t nth) {
    uint32_t low = 0, high = count - 1, wanted = nth - 1;
    while (low < high) {
        const float a = values[low], b = values[low + (high - low) / 2], c = values[high];
        const float pivot = a > b ? (b > c ? b : a > c ? c : a) : (a > c ? a : b > c ? c : b);
        uint32_t i = low, j = high;
        while (i <= j) {
            while (values[i] > pivot) i++;
            while (values[j] < pivot) j--;
            if (i > j) break;
            const float kept = values[i];
            values[i++] = values[j];
            values[j] = kept;
            if (j == 0) break;
            j--;
        }
        if (wanted <= j && j < high) high = j;
        else if (wanted >= i && i > low) low = i;
        else return values[wanted];
    }
    return values[low];
}

void knot_shortlist_tighten(knot_shortlist *list, knot_court *court) {
    if (!list->bounds && list->count >= list->limit) {
        for (uint32_t i = 0; i < list->count; i++) court->lowers[i] = list->entries[i].lower;
        const float cut = nth_largest(court->lowers, list->count, list->limit);
        if (cut > list->cut) list->cut = cut;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        list->entries[kept] = list->entries[i];
        kept += list->entries[i].upper >= list->cut;
    }
    list->count = kept;
    if (!list->bounds) list->ripe = knot_shortlist_ripe(list->count, list->limit);
}

/// Best first: higher scores, then lower row numbers.
static int by_score(const void *left, const void *right) {
    const knot_entry *a = left, *b = right;
    if (a->upper != b->upper) return a->upper > b->upper ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

/// Canonical scores for entries that have none yet.
static void judge(knot_shortlist *list, knot_court *court, knot_entry *entries, uint32_t count) {
    const knot_rows *rows = court->rows;
    for (uint32_t first = 0; first < count; first += 4) {
        const float *four[4], *next[4];
        double products[4];
        for (uint32_t i = 0; i < 4; i++) {
            four[i] = rows->values + (size_t)entries[first + i < count ? first + i : first].row * rows->stride;
            next[i] = first + 4 + i < count ? rows->values + (size_t)entries[first + 4 + i].row * rows->stride : four[i];
        }
        court->kernels->dots(four, next, list->wide, rows->dimension, products);
        for (uint32_t i = first; i < count && i < first + 4; i++)
            entries[i].upper = entries[i].lower = knot_cosine(products[i - first], list->norm, rows->norms[entries[i].row]);
    }
    court->rescored += count;
}

static void settle(knot_shortlist *list, knot_court *court) {
    // Judged entries go first, so that the others stand together.
    uint32_t judged = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->entries[i].upper != list->entries[i].lower) continue;
        const knot_entry moved = list->entries[judged];
        list->entries[judged++] = list->entries[i];
        list->entries[i] = moved;
    }
    judge(list, court, list->entries + judged, list->count - judged);
    qsort(list->entries, list->count, sizeof *list->entries, by_score);
    if (list->count > list->limit) list->count = list->limit;
    if (list->count == list->limit && list->entries[list->limit - 1].upper > list->cut)
        list->cut = list->entries[list->limit - 1].upper;
    if (!list->bounds) list->ripe = knot_shortlist_ripe(list->count, list->limit);
}

void knot_shortlist_make_room(knot_shortlist *list, knot_court *court) {
    knot_shortlist_tighten(list, court);
    if (list->count > list->capacity / 4 * 3) settle(list, court);
}

/// Takes a judged entry into the ordered front of a list, which has `best` of them; returns how many there are then.
static uint32_t place(knot_shortlist *list, uint32_t best, knot_entry entry) {
    knot_entry *front = list->entries;
    if (best == list->limit && by_score(&entry, &front[best - 1]) > 0) return best;
    uint32_t at = best < list->limit ? best : best - 1;
    for (; at > 0 && by_score(&entry, &front[at - 1]) < 0; at--) front[at] = front[at - 1];
    front[at] = entry;
    return best < list->limit ? best + 1 : best;
}

/// Few entries: the most promising are judged first, and of the others only those that may still enter.
static void settle_few(knot_shortlist *list, knot_court *court) {
    knot_entry *entries = list->entries, rest[KNOT_FEW_ENTRIES];
    const uint32_t first = list->count < list->limit + 4 ? list->count : list->limit + 4;
    for (uint32_t i = 0; i < list->count; i++) court->lowers[i] = entries[i].upper;
    const float bar = first < list->count ? nth_largest(court->lowers, list->count, first) : -INFINITY;
    uint32_t promising = 0, others = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const knot_entry entry = entries[i];
        if (entry.upper >= bar) {
            // The first rows are asked for together; judging asks for the others.
            const float *row = court->rows->values + (size_t)entry.row * court->rows->stride;
            if (promising < 8)
                for (uint32_t line = 0; line < 4; line++) __builtin_prefetch((const void *)((uintptr_t)row + 64 * line), 0, 3);
            __builtin_prefetch(court->rows->norms + entry.row, 0, 3);
            entries[promising++] = entry;
        }
        else rest[others++] = entry;
    }
    judge(list, court, entries, promising);
    uint32_t best = 0;
    for (uint32_t i = 0; i < promising; i++) best = place(list, best, entries[i]);
    for (uint32_t i = 0; i < others;) {
        knot_entry some[4];
        uint32_t count = 0;
        for (; i < others && count < 4; i++)
            if (best < list->limit || rest[i].upper >= entries[best - 1].upper) some[count++] = rest[i];
        judge(list, court, some, count);
        for (uint32_t j = 0; j < count; j++) best = place(list, best, some[j]);
    }
    list->count = best;
}

uint32_t knot_shortlist_finish(knot_shortlist *list, knot_court *court, float threshold, knot_match *matches) {
    knot_shortlist_tighten(list, court);
    if (list->count <= KNOT_FEW_ENTRIES) settle_few(list, court);
    else settle(list, court);
    uint32_t found = 0;
    for (uint32_t i = 0; i < list->count && list->entries[i].upper >= threshold; i++)
        matches[found++] = (knot_match){list->entries[i].row, list->entries[i].upper};
    return found;
}
