/// The reviewed tables of the rules reader and of what reads notes, listings and pages, as the bytes of the files beside this one. Each file says what its fields mean.
///
/// C takes the files in as they stand: as array literals of Swift they take half a minute to compile.
#ifndef KNOT_HINT_TABLES_H
#define KNOT_HINT_TABLES_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The first byte of each table; it lasts as long as the program.
const uint8_t *knot_cues(void);
const uint8_t *knot_harms(void);
const uint8_t *knot_patterns(void);
const uint8_t *knot_words(void);
const uint8_t *knot_conditions(void);
const uint8_t *knot_remedies(void);
const uint8_t *knot_tastes(void);
const uint8_t *knot_pages(void);
/// How many bytes each has.
size_t knot_cues_size(void);
size_t knot_harms_size(void);
size_t knot_patterns_size(void);
size_t knot_words_size(void);
size_t knot_conditions_size(void);
size_t knot_remedies_size(void);
size_t knot_tastes_size(void);
size_t knot_pages_size(void);

#pragma clang assume_nonnull end

#endif
