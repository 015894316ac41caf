#ifndef KNOT_CCURL_SHIM_H
#define KNOT_CCURL_SHIM_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

/// Swift calls no function with a variable number of arguments, so each kind of option has a function here.
static inline CURLcode knot_curl_set_long(CURL *_Nonnull easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode knot_curl_set_size(CURL *_Nonnull easy, CURLoption option, int64_t value) {
    return curl_easy_setopt(easy, option, (curl_off_t)value);
}

/// curl copies the text, except that of `CURLOPT_POSTFIELDS`.
static inline CURLcode knot_curl_set_text(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode knot_curl_set_pointer(CURL *_Nonnull easy, CURLoption option, const void *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode knot_curl_set_list(
    CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

/// Bytes of a body or of a header line; a count other than `size * count` ends the transfer.
typedef size_t (*knot_curl_sink)(
    char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

static inline CURLcode knot_curl_set_sink(CURL *_Nonnull easy, CURLoption option, knot_curl_sink _Nonnull sink) {
    return curl_easy_setopt(easy, option, sink);
}

static inline CURLcode knot_curl_get_long(CURL *_Nonnull easy, CURLINFO info, long *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode knot_curl_get_size(CURL *_Nonnull easy, CURLINFO info, int64_t *_Nonnull value) {
    curl_off_t size = 0;
    CURLcode result = curl_easy_getinfo(easy, info, &size);
    *value = size;
    return result;
}

static inline CURLcode knot_curl_get_text(
    CURL *_Nonnull easy, CURLINFO info, const char *_Nullable *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode knot_curl_set_multi_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// Names the calling thread, of which the system keeps fifteen bytes.
static inline void knot_curl_name_thread(const char *_Nonnull name) {
    (void)prctl(PR_SET_NAME, name);
}

/// A bell that any thread may ring and `knot_curl_wait` hears; negative when the system has none.
static inline int knot_curl_bell_make(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

static inline void knot_curl_bell_ring(int bell) {
    (void)eventfd_write(bell, 1);
}

static inline void knot_curl_bell_close(int bell) {
    (void)close(bell);
}

/// Sleeps until a transfer has something to do, the bell was rung, which is silent afterwards, or the time is over.
static inline void knot_curl_wait(CURLM *_Nonnull multi, int bell, int milliseconds) {
    struct curl_waitfd watched = {.fd = bell, .events = CURL_WAIT_POLLIN};
    (void)curl_multi_poll(multi, &watched, 1, milliseconds, NULL);
    eventfd_t count;
    if (watched.revents) (void)eventfd_read(bell, &count);
}

/// The next transfer that has ended, with its result; null when there is none.
static inline CURL *_Nullable knot_curl_next_done(CURLM *_Nonnull multi, CURLcode *_Nonnull result) {
    int left = 0;
    CURLMsg *message = curl_multi_info_read(multi, &left);
    while (message && message->msg != CURLMSG_DONE) message = curl_multi_info_read(multi, &left);
    if (!message) return NULL;
    *result = message->data.result;
    return message->easy_handle;
}

#endif
