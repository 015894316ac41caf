/// libcurl's functions as far as they are used here, found when the first of them is needed.
///
/// They bear libcurl's own names, hidden from all other libraries, so that whoever calls them need not know.
#include "CLateCurl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#define KNOT_HIDDEN __attribute__((visibility("hidden")))

static struct {
    CURLcode (*global_init)(long);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *);
    void (*easy_reset)(CURL *);
    const char *(*easy_strerror)(CURLcode);
    CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
    CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_cleanup)(CURLM *);
    CURLMcode (*multi_setopt)(CURLM *, CURLMoption, ...);
    CURLMcode (*multi_add_handle)(CURLM *, CURL *);
    CURLMcode (*multi_remove_handle)(CURLM *, CURL *);
    CURLMcode (*multi_socket_action)(CURLM *, curl_socket_t, int, int *);
    CURLMsg *(*multi_info_read)(CURLM *, int *);
    struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
    void (*slist_free_all)(struct curl_slist *);
} curl;

bool knot_load_curl(void) {
    // The number is that of the interface, which libcurl has kept since 2006.
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    const struct {
        const char *name;
        void *place;
    } wanted[] = {
        {"curl_global_init", &curl.global_init},
        {"curl_easy_init", &curl.easy_init},
        {"curl_easy_cleanup", &curl.easy_cleanup},
        {"curl_easy_reset", &curl.easy_reset},
        {"curl_easy_strerror", &curl.easy_strerror},
        {"curl_easy_setopt", &curl.easy_setopt},
        {"curl_easy_getinfo", &curl.easy_getinfo},
        {"curl_multi_init", &curl.multi_init},
        {"curl_multi_cleanup", &curl.multi_cleanup},
        {"curl_multi_setopt", &curl.multi_setopt},
        {"curl_multi_add_handle", &curl.multi_add_handle},
        {"curl_multi_remove_handle", &curl.multi_remove_handle},
        {"curl_multi_socket_action", &curl.multi_socket_action},
        {"curl_multi_info_read", &curl.multi_info_read},
        {"curl_slist_append", &curl.slist_append},
        {"curl_slist_free_all", &curl.slist_free_all},
    };
    for (size_t place = 0; place < sizeof wanted / sizeof *wanted; place++) {
        void *found = dlsym(library, wanted[place].name);
        if (!found) return false;
        // A function's address in memory for a pointer to a function: as POSIX has it.
        *(void **)wanted[place].place = found;
    }
    return true;
}

KNOT_HIDDEN CURLcode curl_global_init(long flags) { return curl.global_init(flags); }
KNOT_HIDDEN CURL *curl_easy_init(void) { return curl.easy_init(); }
KNOT_HIDDEN void curl_easy_cleanup(CURL *easy) { curl.easy_cleanup(easy); }
KNOT_HIDDEN void curl_easy_reset(CURL *easy) { curl.easy_reset(easy); }
KNOT_HIDDEN const char *curl_easy_strerror(CURLcode code) { return curl.easy_strerror(code); }
KNOT_HIDDEN CURLM *curl_multi_init(void) { return curl.multi_init(); }
KNOT_HIDDEN CURLMcode curl_multi_cleanup(CURLM *multi) { return curl.multi_cleanup(multi); }
KNOT_HIDDEN CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy) { return curl.multi_add_handle(multi, easy); }
KNOT_HIDDEN CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy) { return curl.multi_remove_handle(multi, easy); }
KNOT_HIDDEN CURLMsg *curl_multi_info_read(CURLM *multi, int *left) { return curl.multi_info_read(multi, left); }
KNOT_HIDDEN void curl_slist_free_all(struct curl_slist *list) { curl.slist_free_all(list); }

KNOT_HIDDEN struct curl_slist *curl_slist_append(struct curl_slist *list, const char *line) {
    return curl.slist_append(list, line);
}

KNOT_HIDDEN CURLMcode curl_multi_socket_action(CURLM *multi, curl_socket_t socket, int what, int *running) {
    return curl.multi_socket_action(multi, socket, what, running);
}

/// Each option has one value, which is a pointer or a number as long as one: numbers shorter than that are none of them.
_Static_assert(sizeof(long) == sizeof(void *) && sizeof(curl_off_t) == sizeof(void *), "values of options differ in length");

KNOT_HIDDEN CURLcode curl_easy_setopt(CURL *easy, CURLoption option, ...) {
    va_list values;
    va_start(values, option);
    void *value = va_arg(values, void *);
    va_end(values);
    return curl.easy_setopt(easy, option, value);
}

KNOT_HIDDEN CURLcode curl_easy_getinfo(CURL *easy, CURLINFO info, ...) {
    va_list values;
    va_start(values, info);
    void *value = va_arg(values, void *);
    va_end(values);
    return curl.easy_getinfo(easy, info, value);
}

KNOT_HIDDEN CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...) {
    va_list values;
    va_start(values, option);
    void *value = va_arg(values, void *);
    va_end(values);
    return curl.multi_setopt(multi, option, value);
}
