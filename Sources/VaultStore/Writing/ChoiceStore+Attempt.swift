import Recommendation

extension ChoiceStore {
    /// How a transaction ended that the database did not break off.
    typealias Ending = Result<StoredSet, ChoiceStoreError>

    static let vaultGone = ChoiceStoreError(.vaultGone, "there is no such vault any more")

    /// One transaction: the statements in one round trip, a look at what they did, COMMIT.
    func write(
        _ record: SetRecord,
        with more: [SQLQuery],
        until deadline: ContinuousClock.Instant
    ) async -> Result<Ending, PostgresError> {
        reached?(.beforeConnection)
        do throws(PostgresError) {
            let ending = try await pool.withConnection(until: deadline) { connection throws(PostgresError) in
                reached?(.beforeBegin)
                let ending = try await connection.transaction(until: deadline) { transaction throws(PostgresError) in
                    try await write(record, with: more, in: transaction)
                }
                reached?(.afterCommit)
                return ending
            }
            return .success(ending)
        } catch {
            return .failure(error)
        }
    }

    private func write(
        _ record: SetRecord,
        with more: [SQLQuery],
        in transaction: PostgresTransaction
    ) async throws(PostgresError) -> Ending {
        let ends = [record.completion, record.settlement].compactMap(\.self)
        let results = try await transaction.pipeline(
            [record.insertion, SetRecord.lookup(record.identity)] + ends + more
        )
        reached?(.afterStatements)
        if let refusal = try Self.refusal(record, results) {
            try await transaction.rollBack()
            return .failure(refusal)
        }
        let isNew = try results[0].only().decode("runs", as: Int.self) > 0
        guard let set = try Self.set(results[1], isNew: isNew, record: record) else {
            // The vault is there, so that only a row of another one can stand in the way.
            try await transaction.rollBack()
            return .failure(
                ChoiceStoreError(.identityTaken, "run \(record.run) is stored for another vault, which is not its own")
            )
        }
        reached?(.beforeCommit)
        return .success(set)
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

    /// After a failure: the set, where it is stored all the same; nil, where another attempt is worth it.
    func resolve(
        _ error: PostgresError,
        _ record: SetRecord,
        until deadline: ContinuousClock.Instant
    ) async throws(ChoiceStoreError) -> StoredSet? {
        guard let commit = error.unknownCommit else {
            guard Self.isWorthAnotherTry(error) else { throw ChoiceStoreError(error) }
            return nil
        }
        let resolution = await CommitResolution.resolve(commit, at: pool.target, until: deadline)
        if resolution == .aborted { return nil }
        let found: StoredSet?
        do throws(PostgresError) {
            found = try await lookup(
                record.identity,
                isNew: resolution == .committed,
                pipelineHash: record.pipelineHash,
                until: deadline
            )
        } catch {
            throw ChoiceStoreError(.unknown, error.description)
        }
        if let found { return found }
        // Committed and not there: the vault was deleted since.
        throw resolution == .committed ? Self.vaultGone : ChoiceStoreError(error)
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

    /// True where the next attempt meets another situation: a race that was lost, a row that was deleted meanwhile.
    private static func isWorthAnotherTry(_ error: PostgresError) -> Bool {
        switch error.code {
        case .uniqueViolation, .foreignKeyViolation, .serializationFailure, .deadlock, .lockTimeout, .connectionLost,
            .serverRestarting, .connectionRefused, .tooManyConnections, .rolledBack:
            true
        default: false
        }
    }
}
