#include "encoder.h"

#include <string.h>

uint32_t knot_largest_bits(const float *numbers, size_t count) {
    uint32_t largest = 0;
    for (size_t place = 0; place < count; place++) {
        uint32_t bits;
        memcpy(&bits, numbers + place, sizeof bits);
        bits &= UINT32_C(0x7FFFFFFF);
        largest = bits > largest ? bits : largest;
    }
    return largest;
}
