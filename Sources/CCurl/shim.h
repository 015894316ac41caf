#ifndef KNOT_CCURL_SHIM_H
#define KNOT_CCURL_SHIM_H

#include <curl/curl.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Has large blocks, such as long bodies, lie outside of the heap, so that they leave no holes there when they are freed.
static inline void knot_curl_keep_large_blocks_apart(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

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

/// Called with the context before each request of a transfer, those that curl sends again by itself included; anything but 0
/// ends the transfer before the request is sent.
typedef int (*knot_curl_gate)(
    void *_Nullable context, char *_Nullable, char *_Nullable, int, int);

static inline CURLcode knot_curl_set_gate(CURL *_Nonnull easy, knot_curl_gate _Nonnull gate) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, gate);
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

/// What is known of a socket: whether curl made it by `knot_curl_open_socket`, what it is watched for, and whether curl has
/// taken that back.
struct knot_curl_watched {
    unsigned char is_own;
    unsigned char is_resting;
    uint32_t events;
};

/// What a loop sleeps on: curl's sockets, a bell that any thread may ring, and an alarm.
struct knot_curl_watch {
    int poll;
    int bell;
    int alarm;
    /// Milliseconds until curl wants to be called although nothing came, -1 for never; `knot_curl_as_before` where curl
    /// has not said anything new.
    long wait;
    /// By descriptor. Only whoever drives curl touches it.
    struct knot_curl_watched *watched;
    int watched_count;
};

enum { knot_curl_as_before = -2 };

/// The number of the clock that never steps. With the header that names it, this module would own the times of all others.
enum { knot_curl_monotonic = 1 };

/// A socket that has something for curl, and what: bytes, room for bytes, or both where it may be an error.
struct knot_curl_event {
    curl_socket_t socket;
    int what;
};

enum { knot_curl_most_events = 64 };

/// What is known of a descriptor; null where there is no memory to know anything.
static inline struct knot_curl_watched *_Nullable knot_curl_known(struct knot_curl_watch *_Nonnull watch, int descriptor) {
    if (descriptor < 0) return NULL;
    if (descriptor >= watch->watched_count) {
        int count = descriptor + 64;
        struct knot_curl_watched *longer = realloc(watch->watched, (size_t)count * sizeof *longer);
        if (!longer) return NULL;
        memset(longer + watch->watched_count, 0, (size_t)(count - watch->watched_count) * sizeof *longer);
        watch->watched = longer;
        watch->watched_count = count;
    }
    return &watch->watched[descriptor];
}

/// Watches a socket for nothing any more.
static inline void knot_curl_forget(struct knot_curl_watch *_Nonnull watch, int descriptor) {
    struct epoll_event none = {0};
    (void)epoll_ctl(watch->poll, EPOLL_CTL_DEL, descriptor, &none);
    struct knot_curl_watched *known = knot_curl_known(watch, descriptor);
    if (known) {
        known->events = 0;
        known->is_resting = 0;
    }
}

/// Makes a socket for curl, as curl itself does, and knows it from then on.
static inline curl_socket_t knot_curl_open_socket(
    void *_Nullable context, curlsocktype purpose, struct curl_sockaddr *_Nonnull address) {
    (void)purpose;
    curl_socket_t made = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    struct knot_curl_watched *known = knot_curl_known(context, made);
    if (known) *known = (struct knot_curl_watched){.is_own = 1};
    return made;
}

static inline int knot_curl_close_socket(void *_Nullable context, curl_socket_t socket) {
    // The system watches a closed socket no more.
    struct knot_curl_watched *known = knot_curl_known(context, socket);
    if (known) *known = (struct knot_curl_watched){0};
    return close(socket);
}

/// Has curl make and close its sockets so that the watch knows them; the handle may not outlive the watch.
static inline bool knot_curl_set_sockets(CURL *_Nonnull easy, struct knot_curl_watch *_Nonnull watch) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, knot_curl_open_socket) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, watch) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, knot_curl_close_socket) == CURLE_OK
        && curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, watch) == CURLE_OK;
}

/// curl says what it waits for at a socket; it takes each back before it closes it.
///
/// A connection that rests between two calls goes on being watched: to say so twice a call costs more than an event that
/// nobody wants. Of sockets that curl makes for itself nobody says when they are closed, so those are not.
static inline int knot_curl_socket_changed(
    CURL *_Nullable easy, curl_socket_t socket, int what, void *_Nullable context, void *_Nullable own) {
    (void)easy;
    (void)own;
    struct knot_curl_watch *watch = context;
    struct knot_curl_watched *known = knot_curl_known(watch, socket);
    if (what == CURL_POLL_REMOVE) {
        if (known && known->is_own && known->events) {
            known->is_resting = 1;
        } else {
            knot_curl_forget(watch, socket);
        }
        return 0;
    }
    struct epoll_event event = {.data.fd = socket};
    if (what != CURL_POLL_OUT) event.events |= EPOLLIN;
    if (what != CURL_POLL_IN) event.events |= EPOLLOUT;
    if (known) known->is_resting = 0;
    if (known && known->is_own && known->events == event.events) return 0;
    if (epoll_ctl(watch->poll, EPOLL_CTL_ADD, socket, &event) != 0) {
        // It is there already. Where the system has no memory for it the transfer ends by its deadline.
        (void)epoll_ctl(watch->poll, EPOLL_CTL_MOD, socket, &event);
    }
    if (known) known->events = event.events;
    return 0;
}

static inline int knot_curl_wait_changed(CURLM *_Nullable multi, long wait, void *_Nullable context) {
    (void)multi;
    struct knot_curl_watch *watch = context;
    watch->wait = wait;
    return 0;
}

static inline void knot_curl_watch_free(struct knot_curl_watch *_Nonnull watch) {
    if (watch->poll >= 0) (void)close(watch->poll);
    if (watch->bell >= 0) (void)close(watch->bell);
    if (watch->alarm >= 0) (void)close(watch->alarm);
    free(watch->watched);
    free(watch);
}

/// Null when the system has no memory or no descriptor left; to be freed after `multi`, which uses it.
static inline struct knot_curl_watch *_Nullable knot_curl_watch_make(CURLM *_Nonnull multi) {
    struct knot_curl_watch *watch = calloc(1, sizeof *watch);
    if (!watch) return NULL;
    watch->wait = knot_curl_as_before;
    watch->poll = epoll_create1(EPOLL_CLOEXEC);
    watch->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    watch->alarm = (int)syscall(SYS_timerfd_create, knot_curl_monotonic, O_CLOEXEC | O_NONBLOCK);
    struct epoll_event bell = {.events = EPOLLIN, .data.fd = watch->bell};
    struct epoll_event alarm = {.events = EPOLLIN, .data.fd = watch->alarm};
    if (watch->poll < 0 || epoll_ctl(watch->poll, EPOLL_CTL_ADD, watch->bell, &bell) != 0
        || epoll_ctl(watch->poll, EPOLL_CTL_ADD, watch->alarm, &alarm) != 0
        || curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, knot_curl_socket_changed) != CURLM_OK
        || curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, watch) != CURLM_OK
        || curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, knot_curl_wait_changed) != CURLM_OK
        || curl_multi_setopt(multi, CURLMOPT_TIMERDATA, watch) != CURLM_OK) {
        knot_curl_watch_free(watch);
        return NULL;
    }
    return watch;
}

static inline void knot_curl_ring(const struct knot_curl_watch *_Nonnull watch) {
    (void)eventfd_write(watch->bell, 1);
}

/// Ends a sleep after so long, without waking anybody before; false where the system refuses.
static inline bool knot_curl_set_alarm(const struct knot_curl_watch *_Nonnull watch, int milliseconds) {
    // Seconds and nanoseconds between alarms, which are none, and until the first one; nothing at all would turn it off.
    const int64_t time[] = {0, 0, milliseconds / 1000, milliseconds % 1000 * 1000000L + 1};
    return syscall(SYS_timerfd_settime, watch->alarm, 0, time, NULL) == 0;
}

/// Sleeps until a socket has something, the bell was rung or the alarm went off, which are silent afterwards, or the time is
/// over.
///
/// Returns how many events there are besides these two; `events` has room for `knot_curl_most_events`.
static inline int knot_curl_sleep(
    const struct knot_curl_watch *_Nonnull watch, struct knot_curl_event *_Nonnull events, int milliseconds) {
    struct epoll_event found[knot_curl_most_events];
    int count = epoll_wait(watch->poll, found, knot_curl_most_events, milliseconds), kept = 0;
    for (int place = 0; place < count; place++) {
        int descriptor = found[place].data.fd;
        if (descriptor == watch->bell || descriptor == watch->alarm) {
            uint64_t value;
            if (read(descriptor, &value, sizeof value) < 0) continue;
            continue;
        }
        uint32_t has = found[place].events;
        // An error is found by reading or writing: it may have been that of a socket whose number is used again.
        int what = (has & ~(uint32_t)EPOLLOUT ? CURL_CSELECT_IN : 0) | (has & ~(uint32_t)EPOLLIN ? CURL_CSELECT_OUT : 0);
        events[kept++] = (struct knot_curl_event){.socket = descriptor, .what = what};
    }
    return kept;
}

/// Lets curl do what an event is about; `CURL_SOCKET_TIMEOUT` stands for the time that is over.
static inline void knot_curl_act(
    CURLM *_Nonnull multi, struct knot_curl_watch *_Nonnull watch, struct knot_curl_event event) {
    int running = 0;
    if (event.socket >= 0 && event.socket < watch->watched_count && watch->watched[event.socket].is_resting) {
        // Whoever uses the connection next finds out what came, most likely its end.
        knot_curl_forget(watch, event.socket);
        return;
    }
    (void)curl_multi_socket_action(multi, event.socket, event.what, &running);
}

/// Lets curl do what is due at once: all that a new transfer can do before anything comes for it.
static inline void knot_curl_settle(CURLM *_Nonnull multi, struct knot_curl_watch *_Nonnull watch) {
    int running = 0;
    // What is due may make something else due; after so many rounds the clock goes on with it.
    for (int round = 0; watch->wait == 0 && round < 64; round++) {
        watch->wait = knot_curl_as_before;
        (void)curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
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
