package import KnotDomain
package import PostgresClient
package import Recommendation

/// Stores sets, each exactly once: one transaction, one round trip before its COMMIT.
package struct ChoiceStore: Sendable {
    let pool: ConnectionPool
    /// Nil in production: a test's way to be told of every moment of the write.
    let reached: (@Sendable (WritePoint) -> Void)?

    package init(
        _ pool: ConnectionPool,
        reached: (@Sendable (WritePoint) -> Void)? = nil
    ) {
        self.pool = pool
        self.reached = reached
    }

    /// Stores a set, or returns the one that its identity has already.
    ///
    /// After a broken COMMIT a new connection looks for the set itself, so the answer is never a guess. What the run
    /// learned on its way, such as embeddings of hints, goes into the same transaction.
    package func store(
        _ record: SetRecord,
        with more: [SQLQuery] = [],
        until deadline: ContinuousClock.Instant
    ) async throws(ChoiceStoreError) -> StoredSet {
        let ending: Ending
        do throws(PostgresError) {
            ending = try await pool.write(until: deadline, reached: reached) {
                transaction throws(PostgresError) in
                try await write(record, with: more, in: transaction)
            }
        } catch {
            throw ChoiceStoreError(error)
        }
        return try ending.get()
    }

    /// The set that an identity has, if any: asked before a run, it saves the run.
    package func stored(
        _ identity: RunIdentity,
        pipelineHash: String? = nil,
        until deadline: ContinuousClock.Instant
    ) async throws(ChoiceStoreError) -> StoredSet? {
        do throws(PostgresError) {
            return try await lookup(identity, isNew: false, pipelineHash: pipelineHash, until: deadline)
        } catch {
            throw ChoiceStoreError(error)
        }
    }
}

extension ChoiceStore {
    /// How a transaction ended that the database did not break off.
    typealias Ending = Result<StoredSet, ChoiceStoreError>

    private static func identityTaken(_ record: SetRecord) -> ChoiceStoreError {
        ChoiceStoreError(.identityTaken, "run \(record.run) is stored for another vault, which is not its own")
    }

    static let requestKnown = ChoiceStoreError(.requestKnown, "the request is known with other contents")
    static let vaultGone = ChoiceStoreError(.vaultGone, "there is no such vault any more")

    /// The statements in one round trip, and a look at what they did.
    func write(
        _ record: SetRecord,
        with more: [SQLQuery],
        in transaction: PostgresTransaction
    ) async throws(PostgresError) -> Conclusion<Ending> {
        let ends = [record.completion, record.settlement].compactMap(\.self)
        var results = try await transaction.pipeline(
            [SetRecord.turn([record]), record.insertion, SetRecord.lookup(record.identity)] + ends + more
        )
        results.removeFirst()
        reached?(.afterStatements)
        if let refusal = try Self.refusal(record, results) { return .unwritten(.failure(refusal)) }
        let isNew = try results[0].only().decode("runs", as: Int.self) > 0
        guard let set = try Self.set(results[1], isNew: isNew, record: record) else {
            // The vault is there: another set of the same request stands in the way, or a row of another vault.
            let isKnown = try await !transaction.run(record.namesake).isEmpty
            return .unwritten(.failure(isKnown ? Self.requestKnown : Self.identityTaken(record)))
        }
        return .written(.success(set), Self.proof(of: record))
    }

    /// The set under its identity, which counts as new where it is this very one, and with it the end of the job.
    private static func proof(of record: SetRecord) -> CommitProof<Ending> {
        let ends = [record.completionLook].compactMap(\.self)
        return CommitProof([SetRecord.lookup(record.identity)] + ends) { rows throws(PostgresError) in
            // The set alone may be an earlier one, and the job not ended.
            guard rows.dropFirst().allSatisfy({ !$0.isEmpty }) else { return nil }
            return try seen(record, in: rows[0]).map { .success($0) }
        }
    }

    /// What a look has found for a record whose COMMIT was not answered.
    static func seen(_ record: SetRecord, in rows: Rows) throws(PostgresError) -> StoredSet? {
        guard let row = rows.first else { return nil }
        let isNew = try row.decode("result", as: String.self) == record.result
        return try set(rows, isNew: isNew, pipelineHash: record.pipelineHash)
    }

    /// Why the transaction must not be committed.
    private static func refusal(_ record: SetRecord, _ results: [Rows]) throws(PostgresError) -> ChoiceStoreError? {
        let written = try results[0].only()
        if try written.decode("vaults", as: Int.self) == 0 { return vaultGone }
        if record.isScheduled, try written.decode("milestones", as: Int.self) == 0 {
            return ChoiceStoreError(.milestoneGone, "the milestone is not there any more, so nothing is stored")
        }
        if record.request.job != nil, try !results[2].only().decode("is_ours", as: Bool.self) {
            return ChoiceStoreError(.leaseLost, "another worker has the job now, so nothing is stored")
        }
        return nil
    }

    func lookup(
        _ run: RunIdentity,
        isNew: Bool,
        pipelineHash: String?,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> StoredSet? {
        try await pool.withConnection(until: deadline) { connection throws(PostgresError) in
            let rows = try await connection.run(SetRecord.lookup(run), until: deadline)
            return try Self.set(rows, isNew: isNew, pipelineHash: pipelineHash)
        }
    }

    /// The set of a record, whose own result is not sent back when it was stored just now.
    private static func set(_ rows: Rows, isNew: Bool, record: SetRecord) throws(PostgresError) -> StoredSet? {
        try set(rows, isNew: isNew, pipelineHash: record.pipelineHash, justStored: isNew ? record.result : nil)
    }

    /// The set in the rows of a look-up.
    static func set(
        _ rows: Rows?,
        isNew: Bool,
        pipelineHash: String?,
        justStored: String? = nil
    ) throws(PostgresError) -> StoredSet? {
        guard let row = rows?.first else { return nil }
        let hash = try row.decode("pipeline_hash", as: String.self)
        let result: String
        if let justStored { result = justStored } else { result = try row.decode("result") }
        return StoredSet(
            runID: try row.decode("id"),
            vault: try row.decode("vault_id"),
            result: result,
            isNew: isNew,
            pipelineName: try row.decode("pipeline_name"),
            pipelineHash: hash,
            isOfAnotherPipeline: !isNew && pipelineHash.map { $0 != hash } ?? false
        )
    }
}

/// What a caller's own request was answered with.
package struct AnsweredRequest: Sendable {
    package let set: StoredSet
    package let outcome: String
    /// What it asked for.
    package let tier: OccasionTier?
    /// As it was then: the milestone may be gone since.
    package let milestone: MilestoneID?

    /// Whether somebody who asks for this means the same.
    package func isFor(milestone asked: MilestoneID) -> Bool {
        guard let milestone else { return false }
        return milestone.text.lowercased() == asked.text.lowercased()
    }

    package func isFor(tier asked: OccasionTier) -> Bool { milestone == nil && tier == asked }
}

extension ChoiceStore {
    /// The set that a request on demand has in each of some vaults, whatever it asked for: the first, where there are more.
    package func answers(
        to request: String,
        of vaults: [VaultID],
        pipelineHash: String? = nil,
        until deadline: ContinuousClock.Instant
    ) async throws(ChoiceStoreError) -> [VaultID: AnsweredRequest] {
        let ids = vaults.compactMap { PostgresUUID($0.text) }
        do throws(PostgresError) {
            let rows = try await pool.read([Self.query(request, ids)], until: deadline)[0]
            var answers: [VaultID: AnsweredRequest] = [:]
            for index in 0..<rows.count {
                let row = rows[index]
                let hash = try row.decode("pipeline_hash", as: String.self)
                let vault = VaultID(try row.decode("vault_id", as: PostgresUUID.self).description)
                answers[vault] = AnsweredRequest(
                    set: StoredSet(
                        runID: try row.decode("id"),
                        vault: try row.decode("vault_id"),
                        result: try row.decode("result"),
                        isNew: false,
                        pipelineName: try row.decode("pipeline_name"),
                        pipelineHash: hash,
                        isOfAnotherPipeline: pipelineHash.map { $0 != hash } ?? false
                    ),
                    outcome: try row.decode("outcome"),
                    tier: OccasionTier(rawValue: try row.decode("occasion_type")),
                    milestone: try row.decode("milestone", as: String?.self).map { MilestoneID($0) }
                )
            }
            return answers
        } catch {
            throw ChoiceStoreError(error)
        }
    }

    private static func query(_ request: String, _ vaults: [PostgresUUID]) -> SQLQuery {
        """
        select distinct on (r.vault_id) r.vault_id, r.id, r.pipeline_name, r.pipeline_hash, r.outcome, r.occasion_type,
            r.result, coalesce(r.milestone_id::text, r.result ->> 'milestone_id') as milestone
        from public.recommendation_runs r
        where r.vault_id = any (\(vaults)) and r.kind = 'on_demand' and r.request = \(request)
        order by r.vault_id, r.created_at, r.id
        """
    }
}
