package import JSONDocument
package import KnotDomain
package import PostgresClient
package import StageGraph

/// Why a vault, its sets or what hangs on it could not be read or kept; nothing of what was asked for was written.
package struct VaultStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// There is none with this id, or none that this person may see.
        case noVault(VaultID)
        /// Its rows are not what a vault must be; the problems name table, row and column.
        case unusable(VaultID)
        /// There is no such vault, run, hint or choice, or it is another person's.
        case notThere
        /// Rows of the vault hold what no value of ours can; the problems name them.
        case unreadable
        /// The input is not what it must be; the problems say where.
        case invalid
        /// There is a vault with this id and other content.
        case vaultThere
        /// The person keeps another vault already, and a person has one.
        case personHasVault
        /// The caller's own request is known, and said something else.
        case requestKnown
        /// The caller's own request has a set already, for another occasion.
        case requestAnswered
        /// The vault was deleted meanwhile, or is another person's.
        case vaultGone
        /// The milestone of a scheduled set was deleted meanwhile: there is nothing left to tell anybody of.
        case milestoneGone
        /// The vault has had another set since it was read, which may hold the same items.
        case overtaken
        /// Another worker has the job now.
        case leaseLost
        /// Another vault's row bears the identity of this request: somebody put it there.
        case identityTaken
        /// Something in the set has no place in the database, such as a price beyond its integers.
        case unrepresentable
        /// A set that is no result, or a short one where only whole ones are kept.
        case notASet
        /// The connection broke in the COMMIT and nobody can be asked how it ended.
        case unknown
        /// The database gave no answer, or refused.
        case database(PostgresError)
    }

    package let code: Code
    /// One sentence without any text of the vault.
    package let detail: String
    package let problems: [JSONProblem]
    /// The primary key that another vault's row has already, such as `hints_pkey`.
    let takenKey: String?

    package init(_ code: Code, _ detail: String, problems: [JSONProblem] = []) {
        self.init(code, detail, problems: problems, takenKey: nil)
    }

    init(_ code: Code, _ detail: String, problems: [JSONProblem] = [], takenKey: String?) {
        self.code = code
        self.detail = detail
        self.problems = problems
        self.takenKey = takenKey
    }

    /// What the database says of something that was to be written.
    init(writing error: PostgresError) {
        switch error.code {
        case .invalidValue, .invalidText, .checkViolation, .notNullViolation: self.init(.invalid, error.what)
        // What the vault had itself went before it was written, or was looked at: the id is one of another vault's.
        case .uniqueViolation where error.constraint == "partner_milestones_pkey" || error.constraint == "hints_pkey":
            let place = error.constraint == "hints_pkey" ? "hints" : "milestones"
            let what = "an id among its \(place) is another vault's; give these ids of their own"
            self.init(.invalid, what, takenKey: error.constraint)
        case .uniqueViolation:
            // Another person's row, which rights keep out of sight until its key is met.
            let what = "a row with one of these ids is there already"
            self.init(.vaultThere, what, takenKey: error.constraint)
        default: self = .database(error)
        }
    }

    package static func database(_ error: PostgresError) -> VaultStoreError {
        VaultStoreError(.database(error), error.advice)
    }

    package static func noVault(_ id: VaultID) -> VaultStoreError {
        VaultStoreError(.noVault(id), "there is no vault \(id)")
    }

    package static func unusable(_ id: VaultID, _ problems: [JSONProblem]) -> VaultStoreError {
        let rest = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
        let first = problems.first.map { "\($0.path) \($0.message)\(rest)" } ?? "it has no readable rows"
        return VaultStoreError(.unusable(id), "vault \(id) cannot be used: \(first)", problems: problems)
    }

    static let vaultNotThere = VaultStoreError(.notThere, "there is no such vault")
    static let vaultGone = VaultStoreError(.vaultGone, "there is no such vault any more")

    package var description: String { detail }

    /// The same as a stage tells it.
    package var stageFailure: StageFailure {
        switch code {
        case .noVault: StageFailure(.data, code: "no_vault", detail)
        case .database(let error): error.stageFailure
        default: StageFailure(.data, code: "bad_vault", detail)
        }
    }
}

extension JSONProblem {
    /// A row of a table that holds what no value of ours can: `recommendation_feedback[…].created_at`.
    ///
    /// The row's own id, where it has one, is its first column or the one called `id`.
    package init(unreadable row: Row, of table: String, _ error: PostgresError) {
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
