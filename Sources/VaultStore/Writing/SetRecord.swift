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
    /// One object for each choice, its members named like the columns.
    let rows: JSONValue
    /// Hints that the choices rest on.
    let hints: [PostgresUUID]

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
        rows: JSONValue,
        hints: [HintID]
    ) throws(ChoiceStoreError) {
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
        self.rows = rows
        var ids: Set<PostgresUUID> = []
        for hint in hints { ids.insert(try Self.uuid(hint.text, "hint id")) }
        self.hints = ids.sorted()
    }

    /// Takes a finished run down; a failed one is no set, and a short one only where that is wanted.
    package init(
        _ run: EngineRun,
        _ request: WriteRequest,
        keepsShort: Bool = false
    ) throws(ChoiceStoreError) {
        guard case .success(let choices) = run.result, let document = ChoiceDocument(run) else {
            throw ChoiceStoreError(.notASet, "the run made no set")
        }
        guard keepsShort || !choices.isShort else {
            throw ChoiceStoreError(.notASet, "the set is short, and only whole ones are stored")
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
            rows: .array(choices.choices.map(Self.row)),
            hints: choices.choices.flatMap(\.hints)
        )
    }

    private static func uuid(_ text: String, _ what: String) throws(ChoiceStoreError) -> PostgresUUID {
        guard let id = PostgresUUID(text) else { throw ChoiceStoreError(.unrepresentable, "the \(what) is no UUID") }
        return id
    }

    private static func row(_ choice: Choice) -> JSONValue {
        let candidate = choice.offer.candidate
        let parts = choice.ranked.total.parts.map { JSONObject.Member(name: $0.name, value: .number($0.value)) }
        let evidence = choice.ranked.total.evidence.map { item -> JSONValue in
            ["kind": .string(item.kind), "ref": .string(item.ref), "weight": .number(item.weight)]
        }
        return [
            "position": .integer(choice.position), "candidate_id": .string(candidate.id.text),
            "provider": .string(candidate.provider.rawValue),
            "providers": JSONValue(choice.offer.provenance.map(\.rawValue)),
            "recommendation_type": .string(candidate.type.rawValue), "title": .string(candidate.title),
            "description": JSONValue(candidate.description), "external_url": .string(candidate.url),
            "image_url": JSONValue(candidate.imageURL), "price_cents": JSONValue(candidate.priceCents),
            "currency": .string(candidate.currency.code), "party": .integer(choice.offer.price.party),
            "total_cents": JSONValue(choice.offer.price.totalCents), "budget_cents": JSONValue(choice.budgetCents),
            "merchant_name": JSONValue(candidate.merchant), "location": candidate.location?.json ?? .null,
            "starts_at": JSONValue(candidate.startsAt?.iso8601), "score": .number(choice.ranked.score),
            "contributions": .object(JSONObject(parts)), "reason": .string(choice.reason),
            "hint_ids": JSONValue(choice.hints.map(\.text)), "evidence": .array(evidence),
            "availability": .string(choice.availability),
        ]
    }
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
}

/// A finished set that is to be stored, with what else its run has to keep.
package struct PendingSet: Sendable {
    package let record: SetRecord
    /// Such as embeddings of hints: in the same transaction.
    let more: [SQLQuery]

    package init(_ record: SetRecord, with more: [SQLQuery] = []) {
        self.record = record
        self.more = more
    }
}

/// The job a scheduled set is made for; it ends in the same transaction, or nothing is stored.
package struct ClaimedJob: Sendable, Hashable {
    package let id: PostgresUUID
    /// Proof that the lease is still ours.
    package let token: PostgresUUID
    /// The notification to end, by whoever really sent it; nil leaves it pending.
    package let settlement: Settlement?

    /// One notification and the state it ends in.
    package struct Settlement: Sendable, Hashable {
        package enum Status: String, Sendable {
            case sent
            case failed
            case cancelled
        }

        package let notification: PostgresUUID
        package let status: Status

        package init(notification: PostgresUUID, status: Status) {
            self.notification = notification
            self.status = status
        }
    }

    package init(id: PostgresUUID, token: PostgresUUID, settlement: Settlement? = nil) {
        self.id = id
        self.token = token
        self.settlement = settlement
    }
}
