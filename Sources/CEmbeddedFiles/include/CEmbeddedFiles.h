/// Files of other rooms that the command carries, byte for byte.
///
/// C includes them with `#embed`: the Swift compiler takes half a minute to compile the same bytes as array literals.
#ifndef KNOT_EMBEDDED_FILES_H
#define KNOT_EMBEDDED_FILES_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Returns the bytes of a file by its name without folders, or NULL if there is none. They last as long as the program.
const uint8_t *_Nullable knot_embedded_file(const char *name, size_t *size);

#pragma clang assume_nonnull end

#endif
