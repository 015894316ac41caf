#ifndef KNOT_LATE_CURL_H
#define KNOT_LATE_CURL_H

#include <stdbool.h>

/// Loads libcurl, so that what `CCurl` declares may be called; false where the system has none.
///
/// libcurl and the ten libraries that it alone needs cost every process as much as reading a vault does, and few processes
/// ask anybody. To be called before any of its functions.
bool knot_load_curl(void);

#endif
