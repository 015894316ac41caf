package import JSONDocument
package import KnotDomain
package import PostgresClient
package import StageGraph

/// Why a vault could not be read from the database.
package enum VaultReadError: Error, Sendable, CustomStringConvertible {
    /// There is none with this id, or none that this person may see.
    case noVault(VaultID)
    /// Its rows are not what a vault must be: every problem, with its table, row and column.
    case unusable(VaultID, [JSONProblem])
    /// The database gave no answer.
    case database(PostgresError)

    package var description: String {
        switch self {
        case .noVault(let id): "there is no vault \(id)"
        case .unusable(let id, let problems):
            "vault \(id) cannot be used: \(Self.summary(problems))"
        case .database(let error): error.description
        }
    }

    private static func summary(_ problems: [JSONProblem]) -> String {
        guard let first = problems.first else { return "it has no readable rows" }
        let rest = problems.count == 1 ? "" : ", and \(problems.count - 1) more"
        return "\(first.path) \(first.message)\(rest)"
    }

    package var stageFailure: StageFailure {
        switch self {
        case .noVault: StageFailure(.data, code: "no_vault", description)
        case .unusable: StageFailure(.data, code: "bad_vault", description)
        case .database(let error): error.stageFailure
        }
    }
}

extension JSONProblem {
    /// A row of a table that holds what no value of ours can: `recommendation_feedback[…].created_at`.
    ///
    /// The row's own id, where it has one, is its first column or the one called `id`.
    init(unreadable row: Row, of table: String, _ error: PostgresError) {
        var name = table
        do throws(PostgresError) {
            name += "[\(try row.decode("id", as: PostgresUUID.self))]"
        } catch {
            // A row without an id of its own is named by its table.
        }
        let column = error.place.hasPrefix("column ") ? "." + error.place.dropFirst("column ".count) : ""
        self.init(path: name + column, message: error.detail ?? error.what)
    }
}

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
