#ifndef KNOT_LATE_POSTGRES_H
#define KNOT_LATE_POSTGRES_H

#include <stdbool.h>

/// Whether the system has libpq, which is loaded when this, or a function that begins a connection, is first called.
///
/// libpq and the twenty libraries that it alone needs cost every process as much as reading a vault does, and a run on a file
/// asks no database.
bool knot_load_postgres(void);

#endif
