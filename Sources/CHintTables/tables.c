#include "CHintTables.h"

// C23's way to take a file in; every clang that comes with Swift 6.3 knows it in older C too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t patterns[] = {
#embed "patterns.txt"
};

const uint8_t *knot_patterns(void) { return patterns; }

size_t knot_patterns_size(void) { return sizeof patterns; }

static const uint8_t words[] = {
#embed "words.txt"
};

const uint8_t *knot_words(void) { return words; }

size_t knot_words_size(void) { return sizeof words; }

static const uint8_t conditions[] = {
#embed "conditions.json"
};

const uint8_t *knot_conditions(void) { return conditions; }

size_t knot_conditions_size(void) { return sizeof conditions; }

static const uint8_t remedies[] = {
#embed "remedies.json"
};

const uint8_t *knot_remedies(void) { return remedies; }

size_t knot_remedies_size(void) { return sizeof remedies; }

static const uint8_t tastes[] = {
#embed "tastes.json"
};

const uint8_t *knot_tastes(void) { return tastes; }

size_t knot_tastes_size(void) { return sizeof tastes; }

static const uint8_t cues[] = {
#embed "cues.txt"
};

const uint8_t *knot_cues(void) { return cues; }

size_t knot_cues_size(void) { return sizeof cues; }

static const uint8_t harms[] = {
#embed "harms.txt"
};

const uint8_t *knot_harms(void) { return harms; }

size_t knot_harms_size(void) { return sizeof harms; }

static const uint8_t pages[] = {
#embed "pages.txt"
};

const uint8_t *knot_pages(void) { return pages; }

size_t knot_pages_size(void) { return sizeof pages; }
