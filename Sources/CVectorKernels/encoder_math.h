/// Powers of two, erf and row sums in lanes of KNOT_FLOATS floats: included by each variant's file of the encoder.
///
/// 2^x is split into a whole power, put straight into the exponent's bits, and a polynomial of degree 5 on -1/2 … 1/2
/// with a relative error of 1e-7. erf(x) is x times a quotient of two polynomials of degree 5 in x², within 4e-7 of the
/// truth; from 3.95 on it is 1 to single precision. Both were fitted by least squares, weighted anew until the largest
/// error stopped falling.

typedef float knot_floats __attribute__((vector_size(4 * KNOT_FLOATS), aligned(4)));
typedef uint32_t knot_words __attribute__((vector_size(4 * KNOT_FLOATS), aligned(4)));
typedef int32_t knot_flags __attribute__((vector_size(4 * KNOT_FLOATS), aligned(4)));

#define KNOT_INLINE static inline __attribute__((always_inline))

KNOT_INLINE knot_floats knot_load(const float *from) { return *(const knot_floats *)from; }
KNOT_INLINE void knot_store(float *to, knot_floats x) { *(knot_floats *)to = x; }
KNOT_INLINE knot_floats knot_all(float x) { return (knot_floats){0} + x; }

KNOT_INLINE knot_floats knot_select(knot_flags flags, knot_floats yes, knot_floats no) {
    return (knot_floats)((flags & (knot_flags)yes) | (~flags & (knot_flags)no));
}

KNOT_INLINE knot_floats knot_lesser(knot_floats x, knot_floats y) { return knot_select(x < y, x, y); }
KNOT_INLINE knot_floats knot_greater(knot_floats x, knot_floats y) { return knot_select(x > y, x, y); }

/// The lanes added up in halves.
KNOT_INLINE float knot_sum(knot_floats x) {
    float lanes[KNOT_FLOATS];
    for (int j = 0; j < KNOT_FLOATS; j++) lanes[j] = x[j];
    for (int apart = KNOT_FLOATS / 2; apart > 0; apart /= 2)
        for (int j = 0; j < apart; j++) lanes[j] += lanes[j + apart];
    return lanes[0];
}

KNOT_INLINE float knot_most(knot_floats x) {
    float lanes[KNOT_FLOATS];
    for (int j = 0; j < KNOT_FLOATS; j++) lanes[j] = x[j];
    for (int apart = KNOT_FLOATS / 2; apart > 0; apart /= 2)
        for (int j = 0; j < apart; j++) lanes[j] = lanes[j] > lanes[j + apart] ? lanes[j] : lanes[j + apart];
    return lanes[0];
}

/// 2^x for x up to 0; below -126 as if it were -126.
KNOT_INLINE knot_floats knot_power(knot_floats x) {
    x = knot_greater(x, knot_all(-126));
    // Adding 1.5 · 2^23 rounds to a whole number and leaves it in the lowest bits.
    const knot_floats shifted = x + 12582912.0f;
    const knot_floats rest = x - (shifted - 12582912.0f);
    knot_floats y = knot_all(0.001327647129073739f);
    y = y * rest + 0.009675541892647743f;
    y = y * rest + 0.05550713464617729f;
    y = y * rest + 0.24022120237350464f;
    y = y * rest + 0.6931469440460205f;
    y = y * rest + 1.0000001192092896f;
    return (knot_floats)((knot_words)y + ((knot_words)shifted << 23));
}

/// x/y for a y of ordinary size.
KNOT_INLINE knot_floats knot_quotient(knot_floats x, knot_floats y) {
#if KNOT_FLOATS == 16
    // An estimate to 14 bits and one of Newton's steps: right but for a unit or two, and quicker than a division.
    const knot_floats estimate = _mm512_rcp14_ps(y);
    return x * (estimate * (2 - y * estimate));
#else
    return x / y;
#endif
}

/// x/2 · (1 + erf(x/√2)).
KNOT_INLINE knot_floats knot_gelu(knot_floats x) {
    const knot_floats z = knot_lesser(knot_greater(x * 0.70710678f, knot_all(-3.95f)), knot_all(3.95f));
    const knot_floats t = z * z;
    knot_floats p = knot_all(2.0117438452871284e-06f);
    p = p * t + 0.0002876009966712445f;
    p = p * t + 0.003917323425412178f;
    p = p * t + 0.05320707708597183f;
    p = p * t + 0.19403578341007233f;
    p = p * t + 1.128378987312317f;
    knot_floats q = knot_all(3.7839745345991105e-05f);
    q = q * t + 0.0011982027208432555f;
    q = q * t + 0.015270712785422802f;
    q = q * t + 0.11559079587459564f;
    q = q * t + 0.505291223526001f;
    q = q * t + 1.0f;
    const knot_floats half = 0.5f * x;
    return half * knot_quotient(z * p, q) + half;
}
