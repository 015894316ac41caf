/// A person's hints: some forty rows, a query or two, and thousands of such searches one after another.
///
/// Rows come from memory once and mostly cold, and the arithmetic hides behind that (tiny.h): every row gets its canonical
/// score at once, and no second pass is left that would not hide. No memory is asked for.
#include "search.h"

int knot_search_tiny(
    const knot_kernels *kernels, const knot_rows *rows, const knot_request *request, knot_match *matches,
    uint32_t *found, knot_effort *effort) {
    uint32_t picks[KNOT_TINY_ROWS];
    uint64_t rescored = 0;
    knot_stream stream = {request->first_row, request->first_row + request->row_count};
    // Not set to zero: it is large.
    knot_tiny tiny;
    tiny.rows = rows;
    tiny.picks = picks;
    tiny.count = knot_next_picks(request, &stream, picks, KNOT_TINY_ROWS);
    tiny.limit = request->limit;
    for (uint32_t q = 0; tiny.count > 0 && q < request->query_count; q += 2) {
        // One query alone is worked out twice.
        const uint32_t some = request->query_count - q < 2 ? 1 : 2;
        tiny.queries[0] = request->queries + q * request->query_stride;
        tiny.queries[1] = tiny.queries[0] + (some - 1) * request->query_stride;
        tiny.later = (const char *)((uintptr_t)tiny.queries[0] + some * request->query_stride * sizeof(float));
        tiny.later_bytes = some * request->query_stride * sizeof(float);
        kernels->tiny(&tiny);
        rescored += (uint64_t)tiny.usable * some;
        const uint32_t most = tiny.usable < request->limit ? tiny.usable : request->limit;
        for (uint32_t j = 0; j < some; j++) {
            if (!(tiny.norms[j] > 0)) continue;
            knot_match *best = matches + (size_t)(q + j) * request->limit;
            uint32_t count = 0;
            for (; count < most && tiny.scores[j][count] >= request->threshold; count++)
                best[count] = (knot_match){picks[tiny.order[j][count]], tiny.scores[j][count]};
            found[q + j] = count;
        }
    }
    if (effort) *effort = (knot_effort){.rescored = rescored};
    return KNOT_OK;
}
