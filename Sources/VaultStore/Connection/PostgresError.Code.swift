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
