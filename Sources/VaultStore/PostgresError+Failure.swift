package import PostgresClient
package import StageGraph

extension PostgresError {
    /// The same failure as stages tell it: whose it is, a stable code, and one sentence without values.
    package var stageFailure: StageFailure {
        StageFailure(failureClass, code: "database_\(code.snakeCase)", advice)
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
