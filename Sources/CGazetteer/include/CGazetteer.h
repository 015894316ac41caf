/// The table of the larger cities, as the bytes of `cities.csv`, which says what its fields mean and whose data it is.
///
/// C takes the file in as it stands. As an array literal of Swift its 844 kB take two minutes to compile.
#ifndef KNOT_GAZETTEER_H
#define KNOT_GAZETTEER_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The first byte of the table; it lasts as long as the program.
const uint8_t *knot_cities(void);
/// How many bytes the table has.
size_t knot_cities_size(void);

#pragma clang assume_nonnull end

#endif
