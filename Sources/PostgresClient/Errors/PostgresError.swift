package import FileInput

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
    package let serverMessage: Secret?
    /// The transaction whose end is not known.
    package let unknownCommit: UnknownCommit?
    /// One clause that says more than the code, free of values.
    package let detail: String?

    package init(
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

    /// True when the role that connects may not become another; of a server that speaks another language nobody knows.
    package var mayNotChangeRole: Bool {
        code == .notPermitted && serverMessage.map { $0.exposed.contains("permission denied to set role") } ?? false
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

extension PostgresError {
    /// Everything that can go wrong between us and a database, by what a caller can do about it.
    package enum Code: String, Sendable, CaseIterable {
        /// The address, a service file or the TLS settings make no sense.
        case configuration
        /// No server listens there.
        case connectionRefused
        /// The name is unknown, the network does not lead there, or nobody answered in time.
        case unreachable
        case authenticationFailed
        case unknownDatabase
        /// The server takes encrypted connections only, or we do and it has none.
        case tlsRequired
        /// The server's certificate cannot be trusted.
        case tlsFailed
        case tooManyConnections
        /// The connection broke, or was closed before.
        case connectionLost
        case serverRestarting
        case readOnly
        case diskFull
        case outOfMemory
        case statementTimeout
        case lockTimeout
        /// The caller gave up, or an administrator ended the statement.
        case cancelled
        case serializationFailure
        case deadlock
        case uniqueViolation
        case foreignKeyViolation
        case checkViolation
        case notNullViolation
        case exclusionViolation
        case invalidValue
        /// A text with U+0000, which no Postgres text can hold; found before anything is sent.
        case invalidText
        case notPermitted
        case undefinedObject
        case duplicateObject
        case missingExtension
        case invalidStatement
        /// COMMIT was answered with ROLLBACK: an earlier statement had failed and nothing is stored.
        case rolledBack
        /// The connection broke while COMMIT was under way: it may or may not have happened.
        case unknownCommit
        /// A column is missing, null, or of another type than asked for.
        case unexpectedValue
        /// The connection was used in a way it does not allow.
        case misuse
        case poolClosed
        /// The server or libpq broke the protocol.
        case protocolViolation
        /// Any other error of the server; its SQLSTATE says which.
        case server
    }
}

extension PostgresError.Code {
    /// The code of a five-letter SQLSTATE.
    init(sqlState: String) {
        self = Self.exact[sqlState] ?? Self.byClass[String(sqlState.prefix(2))] ?? .server
    }

    /// The code of a SQLSTATE and the text that came with it.
    ///
    /// PgBouncer reports everything as a broken protocol, its own refusals and the server's; only the texts differ, and
    /// they are English everywhere.
    init(sqlState: String, message: String) {
        let ofPooler = sqlState == "08P01" ? Self.poolerTexts.first { message.contains($0.text) } : nil
        self = ofPooler?.code ?? Self(sqlState: sqlState)
    }

    private static let poolerTexts: [(text: String, code: Self)] = [
        ("role \"", .authenticationFailed), ("no such user", .authenticationFailed),
        ("authentication failed", .authenticationFailed), ("SASL", .authenticationFailed),
        ("no such database", .unknownDatabase), ("does not exist", .unknownDatabase),
        ("no more connections allowed", .tooManyConnections), ("too many clients", .tooManyConnections),
        ("connection slots", .tooManyConnections), ("query_wait_timeout", .tooManyConnections),
        ("starting up", .serverRestarting), ("shutting down", .serverRestarting),
        ("query timeout", .statementTimeout), ("SSL required", .tlsRequired),
        ("server login", .unreachable), ("cannot connect to server", .unreachable), ("timeout", .connectionLost),
        ("server conn crashed", .connectionLost), ("connection closed", .connectionLost),
    ]

    private static let exact: [String: Self] = [
        "3D000": .unknownDatabase, "25006": .readOnly, "53100": .diskFull, "53200": .outOfMemory,
        "53300": .tooManyConnections, "57014": .cancelled, "57P01": .serverRestarting, "57P02": .serverRestarting,
        "57P03": .serverRestarting, "57P04": .unknownDatabase, "57P05": .connectionLost, "55P03": .lockTimeout,
        "25P03": .connectionLost, "25P04": .connectionLost, "40001": .serializationFailure, "40P01": .deadlock,
        "23505": .uniqueViolation, "23503": .foreignKeyViolation, "23001": .foreignKeyViolation,
        "23514": .checkViolation, "23502": .notNullViolation, "23P01": .exclusionViolation, "42501": .notPermitted,
        "0LP01": .notPermitted, "42P01": .undefinedObject, "42703": .undefinedObject, "42704": .undefinedObject,
        "42883": .undefinedObject, "3F000": .undefinedObject, "42P02": .undefinedObject, "42P07": .duplicateObject,
        "42701": .duplicateObject, "42710": .duplicateObject, "42723": .duplicateObject, "42P06": .duplicateObject,
        "42P04": .duplicateObject, "0A000": .invalidStatement, "25P02": .rolledBack, "08P01": .protocolViolation,
        "22021": .invalidText, "22P05": .invalidText,
    ]

    private static let byClass: [String: Self] = [
        "08": .connectionLost, "28": .authenticationFailed, "22": .invalidValue, "23": .checkViolation,
        "42": .invalidStatement, "53": .outOfMemory, "40": .serializationFailure,
    ]
}

extension PostgresError {
    /// An error the server answered, or that libpq found while it talked to the server.
    init(_ diagnosis: WireDiagnosis, at place: String) {
        var code = diagnosis.sqlState.map { Code(sqlState: $0, message: diagnosis.message) } ?? .connectionLost
        // Only the text tells a statement out of time from a cancelled one; other languages say "cancelled".
        if code == .cancelled, diagnosis.message.contains("statement timeout") { code = .statementTimeout }
        // Servers without pgvector name the type, its functions or its operator class as what is missing.
        let isVector = diagnosis.message.contains("\"vector\"") || diagnosis.message.contains("vector.control")
        if isVector, code == .undefinedObject || diagnosis.sqlState == "0A000" || diagnosis.sqlState == "58P01" {
            code = .missingExtension
        }
        self.init(
            code,
            sqlState: diagnosis.sqlState,
            at: place,
            constraint: diagnosis.constraint,
            table: diagnosis.table,
            column: diagnosis.column,
            serverMessage: Secret(diagnosis.message),
            // Messages of class 42 name parts of the statement, and statements hold no values.
            detail: diagnosis.sqlState?.hasPrefix("42") == true ? diagnosis.message : nil
        )
    }
}
