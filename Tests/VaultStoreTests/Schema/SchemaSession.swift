import CPostgres
import Glibc
import Synchronization

@testable import Migrations
@testable import VaultStore

/// A plain connection for schema tests: libpq's blocking calls, texts in and out.
@safe final class SchemaSession: MigrationSession, @unchecked Sendable {
    // Proof of @unchecked Sendable: the handle is used under the lock only.
    private let handle: OpaquePointer?
    private let lock = Mutex(())

    /// What a statement violated.
    struct Refusal: Error, Hashable {
        let state: String
        /// The constraint, or the column that must not be null.
        let name: String
    }

    init(_ conninfo: String) throws(MigrationSessionError) {
        let handle = unsafe PQconnectdb(conninfo)
        unsafe self.handle = handle
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            throw MigrationSessionError(sqlState: nil, message: unsafe String(cString: PQerrorMessage(handle)))
        }
        // Nobody reads what the server notes besides.
        unsafe PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    deinit {
        unsafe PQfinish(handle)
    }

    func run(script: String) async throws(MigrationSessionError) {
        let outcome: Result<Void, MigrationSessionError> = lock.withLock { _ in
            let result = unsafe PQexec(handle, script)
            defer { unsafe PQclear(result) }
            return unsafe failure(result).map { .failure($0) } ?? .success(())
        }
        try outcome.get()
    }

    func rows(_ statement: String, _ values: [String?] = []) async throws(MigrationSessionError) -> [[String?]] {
        let outcome: Result<[[String?]], MigrationSessionError> = lock.withLock { _ in
            let result = unsafe exec(statement, values)
            defer { unsafe PQclear(result) }
            if let failure = unsafe failure(result) { return .failure(failure) }
            let (rows, columns) = unsafe (PQntuples(result), PQnfields(result))
            return .success(
                (0..<rows).map { row in
                    (0..<columns).map { column in
                        if unsafe PQgetisnull(result, row, column) == 1 { return nil }
                        return unsafe String(cString: PQgetvalue(result, row, column))
                    }
                }
            )
        }
        return try outcome.get()
    }

    /// Runs a statement that has to fail and tells how; nil when it did not.
    func refusal(of statement: String) -> Refusal? {
        lock.withLock { _ in
            let result = unsafe PQexec(handle, statement)
            defer { unsafe PQclear(result) }
            guard let failure = unsafe failure(result) else { return nil }
            // The field codes are characters: n is the constraint, c the column.
            let fields = [UInt8(ascii: "n"), UInt8(ascii: "c")].compactMap { code in
                unsafe PQresultErrorField(result, Int32(code)).map { unsafe String(cString: $0) }
            }
            return Refusal(state: failure.sqlState ?? "", name: fields.first ?? "")
        }
    }

    /// The first cell of the first row.
    func value(_ statement: String) async throws(MigrationSessionError) -> String? {
        try await rows(statement).first?.first ?? nil
    }

    /// The first cell of every row.
    func column(_ statement: String) async throws(MigrationSessionError) -> [String] {
        try await rows(statement).map { ($0.first ?? nil) ?? "null" }
    }

    private func exec(_ statement: String, _ values: [String?]) -> OpaquePointer? {
        var pointers: [UnsafePointer<CChar>?] = unsafe []
        for value in values {
            let copy = unsafe value.flatMap { unsafe strdup($0) }
            unsafe pointers.append(UnsafePointer(copy))
        }
        // libpq copies what it sends before it returns.
        defer {
            for index in unsafe pointers.indices { unsafe free(UnsafeMutablePointer(mutating: pointers[index])) }
        }
        return unsafe PQexecParams(handle, statement, Int32(values.count), nil, pointers, nil, nil, 0)
    }

    private func failure(_ result: OpaquePointer?) -> MigrationSessionError? {
        let status = unsafe PQresultStatus(result)
        if status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK { return nil }
        let state = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { unsafe String(cString: $0) }
        return MigrationSessionError(sqlState: state, message: unsafe String(cString: PQresultErrorMessage(result)))
    }
}
