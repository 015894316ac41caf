extension PostgresError.Code {
    /// The code of a five-letter SQLSTATE.
    init(sqlState: String) {
        self = Self.exact[sqlState] ?? Self.byClass[String(sqlState.prefix(2))] ?? .server
    }

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
        var code = diagnosis.sqlState.map { Code(sqlState: $0) } ?? .connectionLost
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
