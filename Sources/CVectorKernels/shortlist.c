#include "guess.h"

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

static void drop_ruled_out(knot_shortlist *list) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        list->entries[kept] = list->entries[i];
        kept += list->entries[i].upper >= list->cut;
    }
    list->count = kept;
}

void knot_shortlist_tighten(knot_shortlist *list, knot_court *court) {
    if (!list->bounds && list->count >= list->limit) {
        for (uint32_t i = 0; i < list->count; i++) court->lowers[i] = list->entries[i].lower;
        const float cut = nth_largest(court->lowers, list->count, list->limit);
        if (cut > list->cut) list->cut = cut;
    }
    drop_ruled_out(list);
    if (list->ripe < UINT32_MAX) list->ripe = knot_shortlist_ripe(list->count, list->limit);
}

/// Best first: higher scores, then lower row numbers.
static int by_score(const void *left, const void *right) {
    const knot_entry *a = left, *b = right;
    if (a->upper != b->upper) return a->upper > b->upper ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

/// Entries that will be judged next: their rows are brought nearer meanwhile.
typedef struct {
    const knot_entry *entries;
    uint32_t count;
} entries_to_come;

static int is_judged(const knot_entry *entry) { return entry->upper == entry->lower; }

/// Those that are not judged go to the front; returns how many they are.
static uint32_t put_unjudged_first(knot_entry *entries, uint32_t count) {
    uint32_t unjudged = 0;
    for (uint32_t i = 0; i < count; i++) {
        const knot_entry entry = entries[i];
        if (is_judged(&entry)) continue;
        entries[i] = entries[unjudged];
        entries[unjudged++] = entry;
    }
    return unjudged;
}

/// Canonical scores for entries that have none yet.
static void judge(knot_shortlist *list, knot_court *court, knot_entry *entries, uint32_t count, entries_to_come later) {
    const knot_rows *rows = court->rows;
    for (uint32_t first = 0; first < count; first += 4) {
        const float *four[4], *next[4];
        double products[4];
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t at = first + 4 + i;
            four[i] = rows->values + (size_t)entries[first + i < count ? first + i : first].row * rows->stride;
            next[i] = at < count ? rows->values + (size_t)entries[at].row * rows->stride
                : at - count < later.count ? rows->values + (size_t)later.entries[at - count].row * rows->stride
                                           : four[i];
        }
        court->kernels->dots(four, next, list->wide, rows->dimension, products);
        for (uint32_t i = first; i < count && i < first + 4; i++)
            entries[i].upper = entries[i].lower = knot_cosine(products[i - first], list->norm, rows->norms[entries[i].row]);
    }
    court->rescored += count;
}

/// What the next of some lists judges first.
static entries_to_come pending(const knot_shortlist *list, const knot_shortlist *end) {
    return list < end ? (entries_to_come){list->entries, list->pending} : (entries_to_come){list->entries, 0};
}

static void settle(knot_shortlist *list, knot_court *court) {
    const uint32_t unjudged = put_unjudged_first(list->entries, list->count);
    judge(list, court, list->entries, unjudged, (entries_to_come){list->entries, 0});
    qsort(list->entries, list->count, sizeof *list->entries, by_score);
    if (list->count > list->limit) list->count = list->limit;
    if (list->count == list->limit && list->entries[list->limit - 1].upper > list->cut)
        list->cut = list->entries[list->limit - 1].upper;
    if (list->ripe < UINT32_MAX) list->ripe = knot_shortlist_ripe(list->count, list->limit);
}

void knot_shortlist_make_room(knot_shortlist *list, knot_court *court) {
    knot_shortlist_tighten(list, court);
    if (list->count <= list->capacity / 4 * 3) return;
    knot_shortlist_raise(list, court);
    drop_ruled_out(list);
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

/// The most promising go to the front, and of them those that are still to be judged.
static void pick_promising(knot_shortlist *list, knot_court *court) {
    knot_entry *entries = list->entries;
    const uint32_t few = list->limit + 4;
    float bar = -INFINITY;
    if (list->count > few && list->middles && few <= KNOT_ORDERED_LIMIT) {
        bar = 2 * list->middles[few - 1];
    } else if (list->count > few) {
        for (uint32_t i = 0; i < list->count; i++) court->lowers[i] = entries[i].lower + entries[i].upper;
        bar = nth_largest(court->lowers, list->count, few);
    }
    uint32_t promising = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const knot_entry entry = entries[i];
        if (!(entry.lower + entry.upper >= bar)) continue;
        __builtin_prefetch(court->rows->norms + entry.row, 0, 3);
        entries[i] = entries[promising];
        entries[promising++] = entry;
    }
    list->promising = promising;
    list->pending = put_unjudged_first(entries, promising);
}

/// Up to four of the entries from the `at`-th on that may still enter.
static uint32_t next_four(const knot_shortlist *list, uint32_t best, uint32_t *at, knot_entry *some) {
    const knot_entry *entries = list->entries;
    uint32_t count = 0;
    for (; *at < list->count && count < 4; *at += 1)
        if (best < list->limit || entries[*at].upper >= entries[best - 1].upper) some[count++] = entries[*at];
    return count;
}

/// Few entries: the most promising are judged first, and of the others only those that may still enter.
static void settle_few(knot_shortlist *list, knot_court *court, entries_to_come later) {
    knot_entry *entries = list->entries;
    uint32_t best = 0, at = list->promising;
    const int are_all = at == list->count;
    judge(list, court, entries, list->pending, are_all ? later : (entries_to_come){entries + at, list->count - at});
    for (uint32_t i = 0; i < list->promising; i++) best = place(list, best, entries[i]);
    knot_entry fours[2][4];
    uint32_t counts[2] = {next_four(list, best, &at, fours[0])};
    for (uint32_t turn = 0; counts[turn] > 0; turn = 1 - turn) {
        knot_entry *some = fours[turn];
        counts[1 - turn] = next_four(list, best, &at, fours[1 - turn]);
        const uint32_t unjudged = put_unjudged_first(some, counts[turn]);
        judge(list, court, some, unjudged, counts[1 - turn] ? (entries_to_come){fours[1 - turn], counts[1 - turn]} : later);
        for (uint32_t i = 0; i < counts[turn]; i++) best = place(list, best, some[i]);
    }
    list->count = best;
}

void knot_shortlist_raise(knot_shortlist *list, knot_court *court) {
    knot_shortlist_tighten(list, court);
    if (list->limit == 0 || list->count < list->limit) return;
    knot_entry *entries = list->entries;
    for (uint32_t i = 0; i < list->count; i++) court->lowers[i] = entries[i].upper;
    const float bar = nth_largest(court->lowers, list->count, list->limit);
    uint32_t promising = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const knot_entry entry = entries[i];
        if (entry.upper < bar) continue;
        entries[i] = entries[promising];
        entries[promising++] = entry;
    }
    judge(list, court, entries, put_unjudged_first(entries, promising), (entries_to_come){entries, 0});
    for (uint32_t i = 0; i < promising; i++) court->lowers[i] = entries[i].lower;
    const float cut = nth_largest(court->lowers, promising, list->limit);
    if (cut > list->cut) list->cut = cut;
}

uint32_t knot_shortlists_finish(
    knot_shortlist *lists, knot_court *court, const knot_request *request, knot_match *matches, uint32_t *found) {
    uint32_t doubtful = 0;
    const knot_shortlist *end = lists + request->query_count;
    for (knot_shortlist *list = lists; list < end; list++) {
        if (!list->middles || list->count > KNOT_FEW_ENTRIES) knot_shortlist_tighten(list, court);
        list->pending = 0;
        if (list->count <= KNOT_FEW_ENTRIES) pick_promising(list, court);
    }
    for (knot_shortlist *list = lists; list < end; list++, found++, matches += request->limit) {
        if (list->count <= KNOT_FEW_ENTRIES) settle_few(list, court, pending(list + 1, end));
        else settle(list, court);
        *found = 0;
        if (knot_is_doubtful(list)) {
            *found = KNOT_DOUBTFUL;
            doubtful++;
            continue;
        }
        for (uint32_t i = 0; i < list->count && list->entries[i].upper >= request->threshold; i++)
            matches[(*found)++] = (knot_match){list->entries[i].row, list->entries[i].upper};
    }
    return doubtful;
}
