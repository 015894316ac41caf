extension PostgresError {
    /// What happened, where, and what to do about it, in one sentence without any value.
    package var advice: String { "\(description): \(todo)" }

    /// What the person can do.
    package var todo: String {
        switch code {
        case .configuration: configurationTodo
        case .connectionRefused: "start the server or correct DATABASE_URL"
        case .unreachable: "check the host and the network, or allow more time"
        case .authenticationFailed: "check the user, the password (PGPASSWORD, ~/.pgpass) and pg_hba.conf"
        case .unknownDatabase: "create it with createdb or correct DATABASE_URL"
        case .tlsRequired: "set sslmode=verify-full here, or ssl = on in the server"
        case .tlsFailed: "set sslrootcert to the authority's certificate and use the name that the certificate has"
        case .tooManyConnections:
            "use fewer connections, or raise the limit that is reached: max_connections of the server, or the connection limit "
                + "of the role or the database"
        case .connectionLost where sqlState == "25P04": "raise transaction_timeout of the role or the database"
        case .connectionLost, .serverRestarting, .outOfMemory, .lockTimeout, .serializationFailure, .deadlock:
            "try again"
        case .readOnly: "connect to the primary server, or end its read-only mode"
        case .diskFull: "make room on the server's disk"
        case .statementTimeout: "try again or allow more time"
        case .cancelled: "run it again"
        case .uniqueViolation, .foreignKeyViolation, .checkViolation, .notNullViolation, .exclusionViolation,
            .invalidValue, .invalidText:
            "correct the input"
        case .notPermitted where mayNotChangeRole: Self.actingTodo
        case .notPermitted: "use a role that has the right; migrate --status names what roles lack"
        case .undefinedObject, .duplicateObject: "run migrate, and compare migrate --status"
        case .missingExtension: "install pgvector 0.7 or later (package postgresql-16-pgvector) in the server"
        case .rolledBack: "run it again"
        case .unknownCommit: "look whether it is there before running it again"
        case .invalidStatement, .unexpectedValue, .protocolViolation, .server, .misuse:
            "check the server's version and migrate --status"
        case .poolClosed: "start again"
        }
    }

    /// What lets a connection act for persons.
    package static let actingTodo = "connect as knot_person, or grant knot_person to the role that connects"

    private var configurationTodo: String {
        place.hasPrefix("sslmode")
            ? "set sslmode=verify-full and sslrootcert (such as /etc/ssl/certs/ca-certificates.crt), or allow weak TLS"
            : "set DATABASE_URL=postgresql://USER@HOST:PORT/DATABASE or PG* variables"
    }
}
