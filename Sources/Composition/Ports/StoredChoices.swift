package import ChoiceService
import Console
package import JSONDocument
package import KnotDomain
package import PostgresClient
package import Recommendation
import ReminderStore
import StageGraph
package import VaultStore

/// Sets in the database as `ChoiceService` keeps them.
package struct StoredChoices: ChoiceStoring {
    /// A set as rows, and whose it is for errors.
    package struct Record: Sendable {
        package let place: String
        package let set: PendingSet
        let isOfReminder: Bool
    }

    /// What looking up may take, and what storing may.
    private static let limit = Duration.seconds(30)
    /// What a failure to look up is about.
    private static let request = "the request"

    private let pool: ConnectionPool
    private let budget: TimeBudget

    package init(_ pool: ConnectionPool, _ budget: TimeBudget) {
        self.pool = pool
        self.budget = budget
    }

    package func answers(
        to request: String,
        of vaults: [VaultID],
        pipelineHash: String
    ) async throws(ChoiceError) -> [VaultID: EarlierAnswer] {
        try await porting(about: Self.request) {
            let known = try await ChoiceStore(pool).answers(
                to: request,
                of: vaults,
                pipelineHash: pipelineHash,
                until: budget.until(Self.limit)
            )
            return known.mapValues { answer in
                EarlierAnswer(
                    set: StoredAnswer(answer.set),
                    outcome: answer.outcome,
                    occasion: answer.milestone.map(OccasionChoice.milestone)
                        ?? answer.tier.map(OccasionChoice.tier)
                )
            }
        }
    }

    package func answer(to identity: RunIdentity, pipelineHash: String) async throws(ChoiceError) -> StoredAnswer? {
        try await porting(about: Self.request) {
            try await ChoiceStore(pool).stored(identity, pipelineHash: pipelineHash, until: budget.until(Self.limit))
                .map { StoredAnswer($0) }
        }
    }

    package func record(of run: FinishedRun, as style: JSONWriter.Style) throws(ChoiceError) -> Record {
        let prepared = run.prepared
        let request = WriteRequest(
            kind: prepared.name.kind,
            request: prepared.name.request,
            inputDigest: prepared.inputDigest,
            engineVersion: ProgramVersion.number,
            supersedes: prepared.request.reroll?.run.flatMap { PostgresUUID($0) },
            timings: RunTimings.json(run.run.report),
            style: style
        )
        // What the run had to embed of the vault's hints and phrases is stored with its set; a person's own role may not
        // write the latter.
        let embedder = prepared.loaded.embedder as? VaultEmbedder
        let phrases = pool.identity == .connection ? embedder?.statements(forPhrasesOf: prepared.loaded.vault.id) : nil
        let vectors = (embedder?.statements ?? []) + (phrases ?? [])
        do throws(VaultStoreError) {
            let record = try SetRecord(run.run, request)
            let admission = try prepared.request.reminder.map { reminder throws(VaultStoreError) in
                try ReminderAdmission(of: record, reminder).statement
            }
            return Record(
                place: prepared.place,
                set: PendingSet(
                    record,
                    // What lets a reminder's set in looks for itself.
                    after: admission == nil ? prepared.loaded.historyMark : nil,
                    with: vectors + [admission].compactMap(\.self)
                ),
                isOfReminder: admission != nil
            )
        } catch {
            throw .port(CommandError(error, input: prepared.place))
        }
    }

    package func save(_ records: [Record]) async -> [Result<StoredAnswer, ChoiceError>] {
        let stored = await ChoiceStore(pool).store(
            all: records.map(\.set),
            each: budget.limit(Self.limit, atLeast: TimeBudget.storing)
        )
        return zip(records, stored).map { record, ending in
            ending.map { StoredAnswer($0) }.mapError { error in
                if error.code == .overtaken { return .overtaken(.byAnotherSet, place: record.place) }
                if record.isOfReminder, let overtaking = ReminderAdmission.overtaking(error) {
                    return .overtaken(overtaking, place: record.place)
                }
                // Whoever locks one vault keeps no other from its set.
                if case .database(let error) = error.code, error.code == .lockTimeout {
                    return .failed(error.stageFailure, node: nil, place: record.place)
                }
                return .port(CommandError(error, input: record.place))
            }
        }
    }
}

extension StoredAnswer {
    package init(_ set: StoredSet) {
        self.init(
            run: set.runID.description,
            vault: VaultID(set.vault.description),
            text: set.result,
            isNew: set.isNew,
            otherPipeline: set.isOfAnotherPipeline ? "\(set.pipelineName) (\(set.pipelineHash.prefix(12)))" : ""
        )
    }
}

/// Stored runs as `refresh` and `explain` find them.
package struct StoredRuns: RunHistory {
    private static let limit = Duration.seconds(30)

    package let vaults: StoredVaults

    package init(vaults: StoredVaults) {
        self.vaults = vaults
    }

    private func until() -> ContinuousClock.Instant { vaults.budget.until(Self.limit) }

    package func result(of run: String) async throws(ChoiceError) -> StoredResult {
        guard let id = PostgresUUID(run) else { throw .port(CommandError.noRun(run)) }
        let found = try await porting(about: "run \(run)") {
            try await SetHistory(vaults.pool).result(of: id, until: until())
        }
        guard let found else { throw .port(CommandError.noRun(run)) }
        return try StoredResult(found.text, run: id.description, vault: VaultID(found.vault.description))
    }

    package func past(_ result: StoredResult) async throws(ChoiceError) -> PastVault {
        let noRun = ChoiceError.port(CommandError.noRun(result.run))
        guard let run = PostgresUUID(result.run), let owner = PostgresUUID(result.vault.text) else { throw noRun }
        let now = try await vaults.read(result.vault)
        let later = try await porting(about: "run \(result.run)") {
            try await SetHistory(vaults.pool).later(than: run, of: owner, until: until())
        }
        guard let later else { throw noRun }
        let then = StoredVault(
            vault: later.undone(in: now.vault),
            hintEmbeddings: now.hintEmbeddings,
            phraseEmbeddings: now.phraseEmbeddings,
            hintReadings: now.hintReadings,
            vaultReadings: now.vaultReadings,
            weights: now.weights,
            imported: now.imported,
            catalogue: now.catalogue
        )
        return PastVault(
            try vaults.loaded(then),
            now: now.vault,
            pipelineName: later.pipelineName,
            pipelineHash: later.pipelineHash,
            inputDigest: later.inputDigest
        )
    }
}
