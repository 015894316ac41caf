package import StageGraph

extension PostgresError {
    /// The same failure as stages tell it: whose it is, a stable code, and one sentence without values.
    package var stageFailure: StageFailure {
        StageFailure(failureClass, code: "database_\(code.snakeCase)", description)
    }

    private var failureClass: FailureClass {
        switch code {
        case .cancelled: .cancelled
        case .misuse: .stage
        case .statementTimeout, .lockTimeout, .outOfMemory, .diskFull, .tooManyConnections: .platform
        case .invalidText, .invalidValue, .checkViolation, .notNullViolation, .unexpectedValue: .data
        default: .provider
        }
    }
}

extension PostgresError.Code {
    /// `connection_lost` for `connectionLost`, `tls_failed` for `tlsFailed`.
    var snakeCase: String {
        var text = ""
        for letter in rawValue {
            if letter.isUppercase, text.last?.isUppercase != true { text += "_" }
            text += letter.lowercased()
        }
        return text
    }
}
