import Recommendation

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
