#ifndef KNOT_CPOSTGRES_SHIM_H
#define KNOT_CPOSTGRES_SHIM_H

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

/// The letters by which libpq names the parts of a server's message; as character macros they are not imported.
static const int knot_pg_diag_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int knot_pg_diag_sqlstate = PG_DIAG_SQLSTATE;
static const int knot_pg_diag_message = PG_DIAG_MESSAGE_PRIMARY;
static const int knot_pg_diag_table = PG_DIAG_TABLE_NAME;
static const int knot_pg_diag_column = PG_DIAG_COLUMN_NAME;
static const int knot_pg_diag_constraint = PG_DIAG_CONSTRAINT_NAME;

/// What `knot_pg_wait` saw; neither when the time was over or a signal came.
static const int knot_pg_ready = 1;
static const int knot_pg_woken = 2;

/// Blocks until the socket is ready, the bell rang, or the time in milliseconds is over.
///
/// `readiness` is 1 for reading, 2 for writing, 3 for either. A negative time never ends, a negative socket is never
/// looked at. An error or a hang-up counts as ready, since reading is what tells which one it was.
static inline int knot_pg_wait(int socket, int readiness, int bell, int milliseconds) {
    struct pollfd watched[2] = {
        {.fd = socket, .events = (short)((readiness & 1 ? POLLIN : 0) | (readiness & 2 ? POLLOUT : 0))},
        {.fd = bell, .events = POLLIN},
    };
    int count = poll(watched, 2, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : knot_pg_ready;
    return (watched[0].revents ? knot_pg_ready : 0) | (watched[1].revents ? knot_pg_woken : 0);
}

/// A bell that any thread may ring and one may wait for with poll; negative when the system has none.
static inline int knot_pg_bell_make(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

static inline void knot_pg_bell_ring(int bell) {
    (void)eventfd_write(bell, 1);
}

static inline void knot_pg_bell_quiet(int bell) {
    eventfd_t count;
    (void)eventfd_read(bell, &count);
}

static inline void knot_pg_bell_close(int bell) {
    (void)close(bell);
}

/// Ends an attempt to connect that takes too long, so that libpq goes on to the next address.
static inline void knot_pg_socket_give_up(int socket) {
    (void)shutdown(socket, SHUT_RDWR);
}

#endif
