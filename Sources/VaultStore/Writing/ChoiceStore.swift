package import KnotDomain
package import PostgresClient
package import Recommendation

/// Stores sets, each exactly once: one transaction, one round trip before its COMMIT.
package struct ChoiceStore: Sendable {
    package typealias Stored = Result<StoredSet, VaultStoreError>

    /// What many sets together may take before each of them is stored alone.
    package static var batchLimit: Duration { .seconds(5) }

    let pool: ConnectionPool
    /// Nil in production: a test's way to be told of every moment of the write.
    let reached: (@Sendable (WritePoint) -> Void)?

    package init(_ pool: ConnectionPool, reached: (@Sendable (WritePoint) -> Void)? = nil) {
        self.pool = pool
        self.reached = reached
    }

    /// Stores sets in one transaction, and each alone where that fails; returns what became of each, in their order.
    ///
    /// A set whose identity has one already is answered with that. A set that cannot be stored takes no other with it, and
    /// none counts as stored before the COMMIT is answered, or a new connection has told how it ended. What a run learned
    /// on its way, such as embeddings of hints, goes into the transaction of its set.
    package func store(all sets: [PendingSet], each limit: Duration) async -> [Stored] {
        var endings = [Stored?](repeating: nil, count: sets.count)
        let places = Self.together(sets)
        if places.count > 1 {
            let deadline = ContinuousClock.now + min(limit, Self.batchLimit)
            do throws(PostgresError) {
                let found = try await write(places.map { sets[$0] }, attempts: 1, until: deadline)
                for (place, ending) in zip(places, found) { endings[place] = ending }
            } catch {
                // One of them may be to blame, or how its COMMIT ended is not known: each alone finds what is there.
            }
        }
        var lost: VaultStoreError?
        for place in sets.indices where endings[place] == nil {
            // Without a database each of the others would fail likewise, and take its time.
            if let lost {
                endings[place] = .failure(lost)
                continue
            }
            do throws(PostgresError) {
                endings[place] = try await write([sets[place]], attempts: 5, until: .now + limit)[0]
            } catch {
                let error = VaultStoreError(ofSet: error)
                if error.isOfEverySet { lost = error }
                endings[place] = .failure(error)
            }
        }
        return endings.map { $0 ?? .failure(VaultStoreError(ofSet: PostgresError(.unknownCommit))) }
    }

    /// The set that an identity has, if any: asked before a run, it saves the run.
    package func stored(
        _ identity: RunIdentity,
        pipelineHash: String? = nil,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> StoredSet? {
        do throws(PostgresError) {
            return try await pool.withConnection(until: deadline) { connection throws(PostgresError) in
                let rows = try await connection.run(SetStatements.lookup(identity), until: deadline)
                return try rows.map { row throws(PostgresError) in try StoredSet(row, pipelineHash: pipelineHash) }
                    .first
            }
        } catch {
            throw VaultStoreError(ofSet: error)
        }
    }

    /// The set that a request on demand has in each of some vaults, whatever it asked for: the first, where there are more.
    package func answers(
        to request: String,
        of vaults: [VaultID],
        pipelineHash: String? = nil,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> [VaultID: AnsweredRequest] {
        let ids = vaults.compactMap { PostgresUUID($0.text) }
        do throws(PostgresError) {
            let rows = try await pool.read([SetStatements.answers(to: request, of: ids)], until: deadline)[0]
            var answers: [VaultID: AnsweredRequest] = [:]
            for index in 0..<rows.count {
                let answer = try AnsweredRequest(rows[index], pipelineHash: pipelineHash)
                answers[VaultID(answer.set.vault.description)] = answer
            }
            return answers
        } catch {
            throw VaultStoreError(ofSet: error)
        }
    }
}

extension ChoiceStore {
    /// The places of the sets that may share a transaction; of equal ones only the first.
    ///
    /// What ends a job is stored alone, and so is a second set of a vault, which must see the first. The order is that of
    /// the identities, so that two writers of the same sets wait for each other in one order.
    private static func together(_ sets: [PendingSet]) -> [Int] {
        var seen: Set<String> = []
        var vaults: Set<PostgresUUID> = []
        return sets.indices
            .filter { place in
                let record = sets[place].record
                let isFirst = vaults.insert(record.vault).inserted
                let needsHistory = record.isScheduled || sets[place].mark != nil
                return record.request.job == nil && (isFirst || !needsHistory)
                    && seen.insert(record.identity.digest).inserted
            }
            .sorted { sets[$0].record.identity.digest < sets[$1].record.identity.digest }
    }

    /// What became of each set, all in one transaction; nil for a set that is not where the others prove to be.
    private func write(
        _ sets: [PendingSet],
        attempts: Int,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> [Stored?] {
        let records = sets.map(\.record)
        let ends = records.flatMap { record in record.request.job?.ending(with: record.run) ?? [] }
        let more = sets.flatMap(\.more)
        let isOfWorker = records.contains(where: \.isScheduled)
        let lead = (isOfWorker ? [SetStatements.briefly] : []) + [SetStatements.turn(records)]
        return try await pool.write(
            until: deadline,
            attempts: attempts,
            waitsForLocks: !isOfWorker,
            reached: reached
        ) {
            transaction throws(PostgresError) in
            let results = try await transaction.pipeline(
                lead + [SetStatements.insertion(of: records, after: sets.map(\.mark))] + ends + more
            )
            let written = results[lead.count]
            let job = results.dropFirst(lead.count + 1).first
            reached?(.afterStatements)
            var endings: [Stored?] = []
            for (place, record) in records.enumerated() {
                endings.append(try Self.ending(of: record, written[place], job: job))
            }
            let known = endings.indices.filter { endings[$0] == nil }
            if !known.isEmpty {
                let found = try await transaction.pipeline(known.map { SetStatements.lookup(records[$0].identity) })
                for (place, rows) in zip(known, found) {
                    endings[place] = try Self.known(records[place], rows, written[place])
                }
            }
            // A job that is not ours any more, for one, must not end either.
            guard endings.contains(where: { (try? $0?.get()) != nil }) else { return .unwritten(endings) }
            return .written(endings, Self.proof(of: endings, records))
        }
    }

    /// What the statements have done with a record; nil where its identity has a set already.
    private static func ending(of record: SetRecord, _ written: Row, job: Rows?) throws(PostgresError) -> Stored? {
        if try !written.decode("has_vault", as: Bool.self) { return .failure(.vaultGone) }
        if record.isScheduled, try !written.decode("has_milestone", as: Bool.self) {
            return .failure(
                VaultStoreError(.milestoneGone, "the milestone is not there any more, so nothing is stored")
            )
        }
        if record.request.job != nil, try job?.only().decode("is_ours", as: Bool.self) != true {
            return .failure(VaultStoreError(.leaseLost, "another worker has the job now, so nothing is stored"))
        }
        return try written.decode("is_new", as: Bool.self) ? .success(StoredSet(record)) : nil
    }

    /// The set that stands where a record's was to be.
    private static func known(_ record: SetRecord, _ found: Rows, _ written: Row) throws(PostgresError) -> Stored {
        if let row = found.first { return .success(try StoredSet(row, pipelineHash: record.pipelineHash)) }
        // The vault is there: another set of the same request stands in the way, or a row of another vault.
        if try written.decode("has_namesake", as: Bool.self) {
            return .failure(VaultStoreError(.requestAnswered, "the request is known with other contents"))
        }
        if try written.decode("is_overtaken", as: Bool.self) {
            return .failure(VaultStoreError(.overtaken, "the vault has had another set since it was read"))
        }
        let detail = "run \(record.run) is stored for another vault, which is not its own"
        return .failure(VaultStoreError(.identityTaken, detail))
    }

    /// The new sets under their identities, and with them the ends of their jobs: all are there or none is, but for a set
    /// that was deleted since.
    private static func proof(of endings: [Stored?], _ records: [SetRecord]) -> CommitProof<[Stored?]> {
        let new = endings.indices.filter { (try? endings[$0]?.get().isNew) == true }
        // The set alone may be an earlier one, and the job not ended.
        let jobs = records.compactMap { record in record.request.job?.look(for: record.run) }
        return CommitProof(new.map { SetStatements.lookup(records[$0].identity) } + jobs) {
            rows throws(PostgresError) in
            guard rows.suffix(jobs.count).allSatisfy({ !$0.isEmpty }) else { return nil }
            var seen = endings
            for (place, rows) in zip(new, rows) {
                seen[place] = try rows.first.map { row throws(PostgresError) in
                    let isNew = try row.decode("result", as: String.self) == records[place].result
                    return .success(try StoredSet(row, isNew: isNew, pipelineHash: records[place].pipelineHash))
                }
            }
            return new.isEmpty || new.contains { seen[$0] != nil } ? seen : nil
        }
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

    fileprivate init(_ row: Row, pipelineHash: String?) throws(PostgresError) {
        set = try StoredSet(row, pipelineHash: pipelineHash)
        outcome = try row.decode("outcome")
        tier = OccasionTier(rawValue: try row.decode("occasion_type"))
        milestone = try row.decode("milestone", as: String?.self).map { MilestoneID($0) }
    }
}

extension VaultStoreError {
    /// What the database says of a set.
    fileprivate init(ofSet error: PostgresError) {
        switch error.code {
        case .invalidValue, .invalidText, .checkViolation, .notNullViolation: self.init(.unrepresentable, error.what)
        case .unknownCommit: self.init(.unknown, error.advice)
        default: self = .database(error)
        }
    }

    /// True for what would meet the next set as well.
    fileprivate var isOfEverySet: Bool {
        guard case .database(let error) = code else { return false }
        return switch error.code {
        case .connectionLost, .serverRestarting, .connectionRefused, .unreachable, .tooManyConnections, .readOnly,
            .diskFull, .poolClosed, .cancelled, .authenticationFailed, .notPermitted:
            true
        default: false
        }
    }
}
