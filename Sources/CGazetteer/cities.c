#include "CGazetteer.h"

// C23's way to take a file in; every clang that comes with Swift 6.3 knows it in older C too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t cities[] = {
#embed "cities.csv"
};

const uint8_t *knot_cities(void) { return cities; }

size_t knot_cities_size(void) { return sizeof cities; }
