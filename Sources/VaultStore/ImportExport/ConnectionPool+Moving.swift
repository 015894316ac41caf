package import JSONDocument
package import PostgresClient

extension ConnectionPool {
    private static var attempts: Int { 3 }

    /// Runs one reading transaction whose body may refuse for reasons of its own; a lost connection is replaced once.
    func read<Value: Sendable>(
        _ mode: TransactionMode,
        until deadline: ContinuousClock.Instant,
        _ body: @Sendable (PostgresTransaction) async throws(PostgresError) -> Result<Value, MovingError>
    ) async throws(MovingError) -> Value {
        precondition(!mode.isWriting, "what writes says what proves it")
        var isFirst = true
        while true {
            let ending: Result<Value, MovingError>
            do throws(PostgresError) {
                ending = try await withConnection(until: deadline) { connection throws(PostgresError) in
                    try await connection.transaction(mode, until: deadline, body)
                }
            } catch {
                let isLost = error.code == .connectionLost || error.code == .serverRestarting
                guard isFirst, isLost else { throw MovingError(error) }
                isFirst = false
                continue
            }
            return try ending.get()
        }
    }

    /// Runs one writing transaction whose body may refuse for reasons of its own, which rolls it back.
    func move<Value: Sendable>(
        until deadline: ContinuousClock.Instant,
        _ body: @Sendable (PostgresTransaction) async throws(PostgresError) -> Conclusion<Result<Value, MovingError>>
    ) async throws(MovingError) -> Value {
        let ending: Result<Value, MovingError>
        do throws(PostgresError) {
            ending = try await write(until: deadline, attempts: Self.attempts, body)
        } catch {
            throw MovingError(error)
        }
        return try ending.get()
    }
}

extension Conclusion {
    /// Nothing is written, for a reason.
    static func refused<Moved>(_ error: MovingError) -> Conclusion where Value == Result<Moved, MovingError> {
        .unwritten(.failure(error))
    }

    /// Written, which a row of the look proves.
    static func written<Moved>(_ moved: Moved, provenBy look: SQLQuery) -> Conclusion
    where Value == Result<Moved, MovingError> {
        .written(.success(moved), CommitProof(of: .success(moved), look))
    }
}

/// Why a vault was not moved; nothing of it was.
package struct MovingError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The input is not what it must be; the problems say where.
        case invalid
        /// There is a vault with this id and other content.
        case vaultThere
        /// The person keeps another vault already, and a person has one.
        case personHasVault
        /// There is no such vault, or run, or it is another person's.
        case notThere
        /// Rows of the vault hold what no value of ours can; the problems name them.
        case unreadable
        /// The caller's own request is known, and said something else.
        case requestKnown
        /// A value has no place in the database, such as a price beyond its integers.
        case unrepresentable
        case database(PostgresError)
    }

    package let code: Code
    /// One sentence without any text of the vault.
    package let detail: String
    package let problems: [JSONProblem]

    package init(_ code: Code, _ detail: String, problems: [JSONProblem] = []) {
        self.code = code
        self.detail = detail
        self.problems = problems
    }

    init(_ error: PostgresError) {
        switch error.code {
        case .invalidValue, .invalidText, .checkViolation, .notNullViolation:
            self.init(.unrepresentable, error.what)
        case .uniqueViolation:
            // Another person's row, which rights keep out of sight until its key is met.
            self.init(.vaultThere, "a row with one of these ids is there already")
        default: self.init(.database(error), error.description)
        }
    }

    package var description: String { detail }
}
