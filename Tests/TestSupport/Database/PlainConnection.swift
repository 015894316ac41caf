import CPostgres
import Synchronization
import Threads

/// One connection for a test's own statements, independent of the store's: text in, text out.
///
/// Statements run one after another, each on a thread of its own, so that none blocks the shared pool.
package final class PlainConnection: Sendable {
    /// A handle that only the holder of the lock below uses.
    @safe private struct Handle: @unchecked Sendable {
        // Proof of @unchecked Sendable: libpq allows any thread, one at a time, and the lock sees to that.
        let pointer: OpaquePointer
    }

    private let handle: Mutex<Handle>

    private init(_ handle: Handle) {
        self.handle = Mutex(handle)
    }

    deinit {
        handle.withLock { unsafe PQfinish($0.pointer) }
    }

    package static func open(_ url: String) async throws -> PlainConnection {
        try await onOwnThread {
            guard let pointer = unsafe PQconnectdb(url) else { throw DatabaseTestError("libpq has no memory") }
            guard unsafe PQstatus(pointer) == CONNECTION_OK else {
                let message = unsafe String(cString: PQerrorMessage(pointer))
                unsafe PQfinish(pointer)
                throw DatabaseTestError(message)
            }
            unsafe PQsetNoticeProcessor(pointer, { _, _ in }, nil)
            return PlainConnection(unsafe Handle(pointer: pointer))
        }
    }

    /// Opens a connection, runs the statements and closes it.
    @discardableResult
    package static func run(_ sql: String, on url: String) async throws -> [[String?]] {
        try await open(url).run(sql)
    }

    /// Runs statements without binds and returns the last one's rows.
    @discardableResult
    package func run(_ sql: String) async throws -> [[String?]] {
        try await Self.onOwnThread {
            try self.handle.withLock { handle throws(DatabaseTestError) in
                let result = unsafe PQexec(handle.pointer, sql)
                defer { unsafe PQclear(result) }
                let status = unsafe PQresultStatus(result)
                guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY else {
                    // 67 is the field code of the SQLSTATE.
                    let state = unsafe PQresultErrorField(result, 67).map { unsafe String(cString: $0) }
                    throw DatabaseTestError(unsafe String(cString: PQerrorMessage(handle.pointer)), state: state)
                }
                let (rows, columns) = unsafe (PQntuples(result), PQnfields(result))
                return (0..<rows).map { row in
                    (0..<columns).map { column in
                        if unsafe PQgetisnull(result, row, column) == 1 { return nil }
                        return unsafe PQgetvalue(result, row, column).map { unsafe String(cString: $0) }
                    }
                }
            }
        }
    }

    static func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            // Resumed once: by the thread, or here when the system has none left.
            let started = OwnThread.start { continuation.resume(with: Result { try work() }) }
            if !started { continuation.resume(throwing: DatabaseTestError("the system has no thread left")) }
        }
    }
}
