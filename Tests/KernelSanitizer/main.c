/// Drives every kernel of CVectorKernels over random and adversarial rows, to be compiled together with them by
/// `make sanitize` under the undefined-behaviour and address sanitizers. Each kind's searches have to equal the scalar
/// kernels' bit by bit, and dense products a plain sum.
///
///     driver [rounds] [seed]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CVectorKernels.h"

static uint64_t state;

static uint32_t below(uint32_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % limit;
}

static float value(void) { return ((float)below(20001) - 10000) / 10000; }

static void *room(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) exit(74);
    return memory;
}

/// Rows of every awkward kind: zero, huge, tiny, denormal, not finite, repeated.
static void fill(float *rows, size_t stride, uint32_t count, uint32_t dimension) {
    for (uint32_t i = 0; i < count; i++) {
        float *row = rows + i * stride;
        const uint32_t kind = below(16);
        const float scale = kind == 0 ? 0 : kind == 1 ? 1e30f : kind == 2 ? 1e-30f : kind == 3 ? 1e-42f : 1;
        for (uint32_t j = 0; j < dimension; j++) row[j] = scale * value();
        if (kind == 4) row[below(dimension)] = NAN;
        if (kind == 5) row[below(dimension)] = INFINITY;
        if (kind == 6 && i > 0) memcpy(row, rows + below(i) * stride, dimension * sizeof(float));
    }
}

static int search_round(void) {
    const uint32_t dimension = 1 + below(below(2) ? 40 : 900), count = below(below(3) ? 90 : 700), queries = 1 + below(40);
    const size_t stride = dimension + below(4), code_stride = ((size_t)dimension + 63) / 64 * 64;
    float *rows = room(count * stride, sizeof(float)), *asked = room((size_t)queries * dimension, sizeof(float));
    double *norms = room(count, sizeof(double));
    uint8_t *codes = room(count * code_stride, 1);
    float *scales = room(count, sizeof(float)), *reaches = room(count, sizeof(float));
    uint64_t *allowed = room(count / 64 + 1, sizeof(uint64_t));
    fill(rows, stride, count, dimension);
    fill(asked, dimension, queries, dimension);
    for (uint32_t i = 0; i <= count / 64; i++) allowed[i] = (uint64_t)below(UINT32_MAX) << 32 | below(UINT32_MAX);
    const uint32_t first = below(3) ? 0 : below(count + 1);
    const knot_request request = {
        .queries = asked, .query_stride = dimension, .query_count = queries, .limit = below(below(2) ? 12 : 200),
        .threshold = below(3) ? -INFINITY : value(), .first_row = first, .row_count = count - first,
        .allowed = below(3) ? NULL : allowed,
    };
    knot_match *truth = room((size_t)queries * request.limit, sizeof *truth), *found = room((size_t)queries * request.limit, sizeof *found);
    uint32_t *truths = room(queries, sizeof *truths), *founds = room(queries, sizeof *founds);
    int wrong = 0;
    const char *name;
    for (size_t kind = 0; (name = knot_kernels_name_at(kind)); kind++) {
        const knot_kernels *kernels = knot_kernels_named(name);
        if (!kernels) continue;
        knot_norms(kernels, rows, stride, count, dimension, norms);
        knot_encode(kernels, rows, stride, norms, count, dimension, codes, code_stride, scales, reaches);
        for (int by_codes = 0; by_codes < 2; by_codes++) {
            const knot_rows searched = {
                .values = rows, .stride = stride, .count = count, .dimension = dimension, .norms = norms,
                .codes = by_codes ? codes : NULL, .code_stride = code_stride, .scales = scales, .reaches = reaches,
            };
            const int is_truth = kind == 0 && !by_codes;
            if (knot_search(kernels, &searched, &request, is_truth ? truth : found, is_truth ? truths : founds, NULL) != KNOT_OK) wrong++;
            for (uint32_t q = 0; q < queries && !is_truth; q++)
                wrong += truths[q] != founds[q] ||
                    memcmp(truth + (size_t)q * request.limit, found + (size_t)q * request.limit, truths[q] * sizeof *truth) != 0;
        }
    }
    free(rows), free(asked), free(norms), free(codes), free(scales), free(reaches), free(allowed);
    free(truth), free(found), free(truths), free(founds);
    return wrong;
}

static int product_round(void) {
    const uint32_t dimension = 1 + below(below(2) ? 40 : 800), left = below(40), right = below(90);
    const size_t left_stride = dimension + below(5), right_stride = dimension + below(5), out_stride = right + below(4);
    float *a = room(left * left_stride, sizeof(float)), *b = room(right * right_stride, sizeof(float));
    float *out = room(left * out_stride, sizeof(float));
    for (size_t i = 0; i < left * left_stride; i++) a[i] = value();
    for (size_t i = 0; i < right * right_stride; i++) b[i] = value();
    int wrong = 0;
    const char *name;
    for (size_t kind = 0; (name = knot_kernels_name_at(kind)); kind++) {
        const knot_kernels *kernels = knot_kernels_named(name);
        if (!kernels) continue;
        wrong += knot_products(kernels, a, left_stride, left, b, right_stride, right, dimension, out, out_stride) != KNOT_OK;
        for (size_t i = 0; i < left; i++)
            for (size_t j = 0; j < right; j++) {
                double sum = 0;
                for (size_t k = 0; k < dimension; k++) sum += (double)a[i * left_stride + k] * b[j * right_stride + k];
                wrong += !(fabs(sum - out[i * out_stride + j]) < 1e-3);
            }
    }
    free(a), free(b), free(out);
    return wrong;
}

int main(int count, char **arguments) {
    const long rounds = count > 1 ? atol(arguments[1]) : 300;
    const uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 20261121;
    state = seed;
    long wrong = knot_crc32c(0, "123456789", 9) != 0xe3069283;
    for (long round = 0; round < rounds; round++) wrong += search_round() + product_round();
    printf("%ld rounds, seed %llu: %ld wrong\n", rounds, (unsigned long long)seed, wrong);
    return wrong != 0;
}
