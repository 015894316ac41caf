/// Why the database gave no answer: what happened, to whom, and never a value, a query or a password.
package struct PostgresError: Error, Sendable, Hashable {
    package let code: Code
    /// The five letters of the server, where it answered.
    package let sqlState: String?
    /// Where: `database knot on /run/postgresql`, a column, a constraint.
    package var place: String
    package let constraint: String?
    package let table: String?
    package let column: String?
    /// The server's own words, for people who debug; they may hold values and are in no description.
    let serverMessage: Secret?
    /// The transaction whose end is not known.
    package let unknownCommit: UnknownCommit?
    /// One clause that says more than the code, free of values.
    let detail: String?

    init(
        _ code: Code,
        sqlState: String? = nil,
        at place: String = "",
        constraint: String? = nil,
        table: String? = nil,
        column: String? = nil,
        serverMessage: Secret? = nil,
        unknownCommit: UnknownCommit? = nil,
        detail: String? = nil
    ) {
        self.code = code
        self.sqlState = sqlState
        self.place = place
        self.constraint = constraint
        self.table = table
        self.column = column
        self.serverMessage = serverMessage
        self.unknownCommit = unknownCommit
        self.detail = detail
    }
}

extension PostgresError {
    /// True when the connection it came from must not be used again.
    package var isPoisoning: Bool {
        switch code {
        case .connectionLost, .serverRestarting, .readOnly, .unknownCommit, .protocolViolation, .connectionRefused,
            .unreachable, .tooManyConnections, .misuse:
            return true
        default:
            guard let sqlState else { return false }
            return sqlState.hasPrefix("08") || sqlState.hasPrefix("57P") || sqlState == "25006"
        }
    }

    /// True when the same call may succeed a little later; an unknown commit is not, since it may have happened.
    package var isTransient: Bool {
        switch code {
        case .connectionRefused, .unreachable, .connectionLost, .serverRestarting, .tooManyConnections, .readOnly,
            .diskFull, .outOfMemory, .statementTimeout, .lockTimeout, .serializationFailure, .deadlock:
            true
        default: false
        }
    }
}
