import Recommendation
import StageGraph
import VaultStore

/// A prepared run, whatever world it is about: what the stages get, and what becomes of the set.
struct ChoiceJob: Sendable {
    /// What gives the set its identity, and whether it is kept.
    enum Keeping: Sendable {
        /// Nowhere: the digest of everything that was read makes the identity.
        case fixture
        /// Nowhere, but under the identity that it would be stored with.
        case dryRun(WriteRequest)
        case database(PostgresChoiceSink, WriteRequest)

        /// Under what the set is stored, or would be.
        var request: WriteRequest? {
            switch self {
            case .fixture: nil
            case .dryRun(let request), .database(_, let request): request
            }
        }
    }

    let plan: Plan
    var ports: StagePorts
    /// The file or the vault, for errors.
    let input: String
    /// SHA-256 of everything that was read before the run.
    let inputDigest: String
    let keeping: Keeping
    /// The seed of a run that is done again; nil: the one asked for.
    var seed: UInt64?
    /// Of a vault in the database, whose reading takes of the same time.
    var budget: TimeBudget?
    /// Things to say on standard error that belong to no result.
    var notes: [String] = []
}
