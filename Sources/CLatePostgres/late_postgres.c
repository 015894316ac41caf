/// Looks up the functions of libpq that the command calls, when it makes its first connection.
///
/// Each function here has the name of libpq's own, so callers don't change. Other libraries can't see these names.
#include "CLatePostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

/// Functions that need a connection, an answer or settings which one of those below has made: type, name, parameters, arguments.
#define LATER(X) \
    X(void, PQfinish, (PGconn * connection), (connection)) \
    X(PostgresPollingStatusType, PQconnectPoll, (PGconn * connection), (connection)) \
    X(PQconninfoOption *, PQconninfo, (PGconn * connection), (connection)) \
    X(void, PQconninfoFree, (PQconninfoOption * options), (options)) \
    X(ConnStatusType, PQstatus, (const PGconn *connection), (connection)) \
    X(PGTransactionStatusType, PQtransactionStatus, (const PGconn *connection), (connection)) \
    X(int, PQserverVersion, (const PGconn *connection), (connection)) \
    X(char *, PQerrorMessage, (const PGconn *connection), (connection)) \
    X(int, PQsocket, (const PGconn *connection), (connection)) \
    X(int, PQbackendPID, (const PGconn *connection), (connection)) \
    X(int, PQconnectionNeedsPassword, (const PGconn *connection), (connection)) \
    X(int, PQsslInUse, (PGconn * connection), (connection)) \
    X(PGVerbosity, PQsetErrorVerbosity, (PGconn * connection, PGVerbosity verbosity), (connection, verbosity)) \
    X(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn * connection, PQnoticeReceiver receiver, void *context), \
      (connection, receiver, context)) \
    X(PQnoticeProcessor, PQsetNoticeProcessor, (PGconn * connection, PQnoticeProcessor processor, void *context), \
      (connection, processor, context)) \
    X(PGcancel *, PQgetCancel, (PGconn * connection), (connection)) \
    X(void, PQfreeCancel, (PGcancel * key), (key)) \
    X(int, PQcancel, (PGcancel * key, char *message, int size), (key, message, size)) \
    X(int, PQsetnonblocking, (PGconn * connection, int isOn), (connection, isOn)) \
    X(int, PQenterPipelineMode, (PGconn * connection), (connection)) \
    X(int, PQexitPipelineMode, (PGconn * connection), (connection)) \
    X(int, PQpipelineSync, (PGconn * connection), (connection)) \
    X(PGresult *, PQexec, (PGconn * connection, const char *query), (connection, query)) \
    X(PGresult *, PQexecParams, \
      (PGconn * connection, const char *query, int count, const Oid *types, const char *const *values, \
       const int *lengths, const int *formats, int format), \
      (connection, query, count, types, values, lengths, formats, format)) \
    X(int, PQsendQuery, (PGconn * connection, const char *query), (connection, query)) \
    X(int, PQsendQueryParams, \
      (PGconn * connection, const char *query, int count, const Oid *types, const char *const *values, \
       const int *lengths, const int *formats, int format), \
      (connection, query, count, types, values, lengths, formats, format)) \
    X(int, PQsendPrepare, (PGconn * connection, const char *name, const char *query, int count, const Oid *types), \
      (connection, name, query, count, types)) \
    X(int, PQsendQueryPrepared, \
      (PGconn * connection, const char *name, int count, const char *const *values, const int *lengths, \
       const int *formats, int format), \
      (connection, name, count, values, lengths, formats, format)) \
    X(int, PQflush, (PGconn * connection), (connection)) \
    X(int, PQconsumeInput, (PGconn * connection), (connection)) \
    X(int, PQisBusy, (PGconn * connection), (connection)) \
    X(PGnotify *, PQnotifies, (PGconn * connection), (connection)) \
    X(void, PQfreemem, (void *memory), (memory)) \
    X(PGresult *, PQgetResult, (PGconn * connection), (connection)) \
    X(void, PQclear, (PGresult * result), (result)) \
    X(ExecStatusType, PQresultStatus, (const PGresult *result), (result)) \
    X(char *, PQresultErrorMessage, (const PGresult *result), (result)) \
    X(char *, PQresultErrorField, (const PGresult *result, int field), (result, field)) \
    X(size_t, PQresultMemorySize, (const PGresult *result), (result)) \
    X(int, PQntuples, (const PGresult *result), (result)) \
    X(int, PQnfields, (const PGresult *result), (result)) \
    X(char *, PQfname, (const PGresult *result, int column), (result, column)) \
    X(int, PQfformat, (const PGresult *result, int column), (result, column)) \
    X(Oid, PQftype, (const PGresult *result, int column), (result, column)) \
    X(char *, PQcmdStatus, (PGresult * result), (result)) \
    X(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
    X(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
    X(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column))

/// Functions that begin: null where the system has no libpq.
#define FIRST(X) \
    X(PGconn *, PQconnectdb, (const char *settings), (settings)) \
    X(PGconn *, PQconnectStartParams, (const char *const *keywords, const char *const *values, int expands), \
      (keywords, values, expands)) \
    X(PQconninfoOption *, PQconninfoParse, (const char *settings, char **message), (settings, message))

#define POINTER(type, name, parameters, arguments) static type(*late_##name) parameters;
LATER(POINTER)
FIRST(POINTER)

#define ENTRY(type, name, parameters, arguments) {#name, (void **)&late_##name},
static const struct {
    const char *name;
    void **place;
} wanted[] = {LATER(ENTRY) FIRST(ENTRY)};

static bool is_there;

static void load(void) {
    // The number is that of the interface, which libpq has kept since 2006.
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    for (size_t place = 0; place < sizeof wanted / sizeof *wanted; place++) {
        void *found = dlsym(library, wanted[place].name);
        if (!found) return;
        // A function's address in memory for a pointer to a function: as POSIX has it.
        *wanted[place].place = found;
    }
    is_there = true;
}

bool knot_load_postgres(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_there;
}

#define HIDDEN __attribute__((visibility("hidden")))
#define CALL(type, name, parameters, arguments) \
    HIDDEN type name parameters { return late_##name arguments; }
LATER(CALL)

#define BEGIN(type, name, parameters, arguments) \
    HIDDEN type name parameters { return knot_load_postgres() ? late_##name arguments : NULL; }
FIRST(BEGIN)
