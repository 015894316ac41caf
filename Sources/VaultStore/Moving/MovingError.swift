package import JSONDocument

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
