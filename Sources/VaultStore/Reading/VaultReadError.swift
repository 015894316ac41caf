package import JSONDocument
package import KnotDomain
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
