package import JSONDocument
package import KnotDomain
package import PostgresClient
package import Recommendation
import StageGraph

/// One set as rows: the run's, and those of its choices.
package struct SetRecord: Sendable {
    package let identity: RunIdentity
    let request: WriteRequest
    let run: PostgresUUID
    let vault: PostgresUUID
    let milestone: PostgresUUID?
    let occurrence: CivilDate?
    let tier: OccasionTier
    let pipelineName: String
    let pipelineHash: String
    let seed: UInt64
    let asOf: Instant
    let outcome: Outcome
    let reasons: JSONValue
    let counts: JSONValue
    /// What is printed and kept.
    package let result: String
    let round: Int
    var choices: [ChoiceRow]
    /// Hints that the choices rest on.
    let hints: [PostgresUUID]

    var isScheduled: Bool { request.kind == .scheduled }

    /// A set whose parts are known; the result is kept and returned as the bytes it is given as.
    package init(
        _ request: WriteRequest,
        identity: RunIdentity,
        vault: VaultID,
        milestone: MilestoneID?,
        occurrence: CivilDate?,
        tier: OccasionTier,
        pipeline: (name: String, hash: String),
        seed: UInt64,
        asOf: Instant,
        outcome: Outcome,
        reasons: JSONValue,
        counts: JSONValue,
        result: String,
        round: Int,
        choices: [ChoiceRow]
    ) throws(VaultStoreError) {
        self.identity = identity
        self.request = request
        run = try Self.uuid(identity.runID, "run id")
        self.vault = try Self.uuid(vault.text, "vault id")
        var stored: PostgresUUID?
        if let milestone { stored = try Self.uuid(milestone.text, "milestone id") }
        self.milestone = stored
        self.occurrence = occurrence
        self.tier = tier
        pipelineName = pipeline.name
        pipelineHash = pipeline.hash
        self.seed = seed
        self.asOf = asOf
        self.outcome = outcome
        self.reasons = reasons
        self.counts = counts
        self.result = result
        self.round = round
        self.choices = choices
        var ids: Set<PostgresUUID> = []
        for hint in choices.flatMap(\.hints) { ids.insert(try Self.uuid(hint.text, "hint id")) }
        hints = ids.sorted()
    }

    /// Takes a finished run down; a failed one is no set, and a short one only where that is wanted.
    package init(_ run: EngineRun, _ request: WriteRequest, keepsShort: Bool = false) throws(VaultStoreError) {
        guard case .success(let choices) = run.result, let document = ChoiceDocument(run) else {
            throw VaultStoreError(.notASet, "the run made no set")
        }
        guard keepsShort || !choices.isShort else {
            throw VaultStoreError(.notASet, "the set is short, and only whole ones are stored")
        }
        let brief = choices.brief
        let identity = request.identity(of: brief)
        var result = document.json(identity: identity).object ?? JSONObject()
        // Printed only once the transaction is done, so this is true by then.
        result["stored"] = .bool(true)
        // A set is three; what else was shown with it is for that one page.
        result["further"] = []
        try self.init(
            request,
            identity: identity,
            vault: brief.vault.id,
            milestone: brief.milestone?.id,
            occurrence: brief.occurrence,
            tier: brief.tier,
            pipeline: (run.plan.name, run.plan.identity),
            seed: run.seed,
            asOf: brief.asOf,
            outcome: run.outcome,
            reasons: result["reasons"] ?? [],
            counts: result["counts"] ?? [:],
            result: JSONWriter.text(.object(result), style: request.style),
            round: brief.refresh?.round ?? 0,
            choices: choices.choices.map { ChoiceRow($0) }
        )
    }

    private static func uuid(_ text: String, _ what: String) throws(VaultStoreError) -> PostgresUUID {
        guard let id = PostgresUUID(text) else { throw VaultStoreError(.unrepresentable, "the \(what) is no UUID") }
        return id
    }

    /// The run's row of `recommendation_runs`.
    ///
    /// A milestone or an older run that is gone becomes null, as it would have a moment later.
    static let columns: [RowColumn<SetRecord>] = [
        RowColumn("id") { $0.run },
        RowColumn("identity") { $0.identity.digest },
        RowColumn("identity_milestone_id") { $0.milestone },
        RowColumn("vault_id") { $0.vault },
        RowColumn("milestone_id", as: "a.milestone") { $0.milestone },
        RowColumn("occurrence_date") { $0.occurrence },
        RowColumn("occasion_type") { $0.tier.rawValue },
        RowColumn("kind") { $0.request.kind.rawValue },
        RowColumn("request") { $0.request.request },
        RowColumn("pipeline_name") { $0.pipelineName },
        RowColumn("pipeline_hash") { $0.pipelineHash },
        RowColumn("engine_version") { $0.request.engineVersion },
        RowColumn("seed", as: "a.seed::pg_catalog.numeric") { String($0.seed) },
        RowColumn("input_digest") { $0.request.inputDigest },
        RowColumn("as_of") { $0.asOf },
        RowColumn("outcome") { $0.outcome.rawValue },
        RowColumn("reasons") { $0.reasons },
        RowColumn("counts") { $0.counts },
        RowColumn("timings") { $0.request.timings },
        RowColumn("result", as: "a.result::pg_catalog.json") { $0.result },
        RowColumn(
            "supersedes",
            as: """
                (
                    select s.id from public.recommendation_runs s
                    where s.id = a.supersedes and s.vault_id = a.vault_id
                )
                """
        ) { $0.request.supersedes },
        RowColumn("round") { $0.round },
    ]
}

/// A set as the database holds it.
package struct StoredSet: Sendable, Hashable {
    package let runID: PostgresUUID
    package let vault: PostgresUUID
    /// The result as it was first printed, byte for byte.
    package let result: String
    /// False when the set was there before: the same request, or another process that was faster.
    package let isNew: Bool
    package let pipelineName: String
    package let pipelineHash: String
    /// True when the stored set was made by another pipeline than the one that asked.
    package let isOfAnotherPipeline: Bool

    /// The set of a record that was written just now.
    init(_ record: SetRecord) {
        runID = record.run
        vault = record.vault
        result = record.result
        isNew = true
        pipelineName = record.pipelineName
        pipelineHash = record.pipelineHash
        isOfAnotherPipeline = false
    }

    /// A row with the columns of `selection`, for whoever asks with a pipeline.
    init(_ row: Row, isNew: Bool = false, pipelineHash: String?) throws(PostgresError) {
        let hash = try row.decode("pipeline_hash", as: String.self)
        runID = try row.decode("id")
        vault = try row.decode("vault_id")
        result = try row.decode("result")
        self.isNew = isNew
        pipelineName = try row.decode("pipeline_name")
        self.pipelineHash = hash
        isOfAnotherPipeline = !isNew && pipelineHash.map { $0 != hash } ?? false
    }

    /// What is read of the run `r`.
    static let selection: SQLQuery = "r.id, r.vault_id, r.pipeline_name, r.pipeline_hash, r.result"
}

/// A finished set that is to be stored, with what else its run has to keep.
package struct PendingSet: Sendable {
    package let record: SetRecord
    /// What the vault's mark was when the vault was read; nil stores the set whatever was stored since.
    let mark: String?
    /// Such as embeddings of hints: in the same transaction.
    let more: [SQLQuery]

    package init(_ record: SetRecord, after mark: String? = nil, with more: [SQLQuery] = []) {
        self.record = record
        self.mark = mark
        self.more = more
    }
}
