import KnotDomain
package import Recommendation

extension ChoiceStore {
    package typealias Stored = Result<StoredSet, ChoiceStoreError>

    /// What many sets together may take before each of them is stored alone.
    package static var batchLimit: Duration { .seconds(5) }

    /// Stores sets in one transaction, and each alone where that fails; returns what became of each, in their order.
    ///
    /// A set that cannot be stored takes no other with it. None counts as stored before the COMMIT is answered, or a
    /// new connection has told how it ended.
    package func store(all sets: [PendingSet], each limit: Duration) async -> [Stored] {
        var endings = [Stored?](repeating: nil, count: sets.count)
        let places = Self.together(sets)
        if places.count > 1 {
            let found = await storeTogether(places.map { sets[$0] }, until: .now + min(limit, Self.batchLimit))
            for (place, ending) in zip(places, found) { endings[place] = ending }
        }
        var lost: ChoiceStoreError?
        var all: [Stored] = []
        all.reserveCapacity(sets.count)
        for (set, ending) in zip(sets, endings) {
            if let ending {
                all.append(ending)
            } else if let lost {
                // Without a database each of the others would fail likewise, and take its time.
                all.append(.failure(lost))
            } else {
                let ending = await storeAlone(set, until: .now + limit)
                if case .failure(let error) = ending, error.isOfEverySet { lost = error }
                all.append(ending)
            }
        }
        return all
    }

    /// The places of the sets that may share a transaction, by their identities; of equal ones only the first.
    private static func together(_ sets: [PendingSet]) -> [Int] {
        var seen: Set<String> = []
        return sets.indices
            .filter { place in
                let record = sets[place].record
                return !record.isScheduled && record.request.job == nil && seen.insert(record.identity.digest).inserted
            }
            .sorted { sets[$0].record.identity.digest < sets[$1].record.identity.digest }
    }

    private func storeAlone(_ set: PendingSet, until deadline: ContinuousClock.Instant) async -> Stored {
        do throws(ChoiceStoreError) {
            return .success(try await store(set.record, with: set.more, until: deadline))
        } catch {
            return .failure(error)
        }
    }

    // MARK: Together

    /// Nil where it is worth while to store a set alone.
    private func storeTogether(_ sets: [PendingSet], until deadline: ContinuousClock.Instant) async -> [Stored?] {
        let batch = SetBatch(sets.map(\.record))
        let more = sets.flatMap(\.more)
        reached?(.beforeConnection)
        do throws(PostgresError) {
            let endings = try await pool.withConnection(until: deadline) { connection throws(PostgresError) in
                reached?(.beforeBegin)
                let endings = try await connection.transaction(until: deadline) { transaction throws(PostgresError) in
                    try await write(batch, with: more, in: transaction)
                }
                reached?(.afterCommit)
                return endings
            }
            reached?(.beforeAnswer)
            return endings
        } catch {
            guard error.unknownCommit != nil else { return Array(repeating: nil, count: sets.count) }
            return await resolve(error, batch.records, until: .now + Self.resolvingLimit)
        }
    }

    /// How long the database is asked what became of a COMMIT.
    private static var resolvingLimit: Duration { .seconds(30) }

    private func write(
        _ batch: SetBatch,
        with more: [SQLQuery],
        in transaction: PostgresTransaction
    ) async throws(PostgresError) -> [Stored?] {
        let results = try await transaction.pipeline([batch.insertion] + more)
        reached?(.afterStatements)
        let written = results[0]
        var endings: [Stored?] = []
        var known: [Int] = []
        for (place, record) in batch.records.enumerated() {
            if try written[place].decode("is_new") {
                endings.append(.success(record.justStored))
            } else if try written[place].decode("has_vault") {
                known.append(place)
                endings.append(nil)
            } else {
                endings.append(.failure(Self.vaultGone))
            }
        }
        if !known.isEmpty {
            let found = try await transaction.pipeline(known.map { SetRecord.lookup(batch.records[$0].identity) })
            for (place, rows) in zip(known, found) {
                let set = try Self.set(rows, isNew: false, pipelineHash: batch.records[place].pipelineHash)
                endings[place] = set.map { .success($0) }
            }
        }
        reached?(.beforeCommit)
        return endings
    }

    /// After a COMMIT that nobody has answered: what is stored, as a new connection sees it.
    private func resolve(
        _ error: PostgresError,
        _ records: [SetRecord],
        until deadline: ContinuousClock.Instant
    ) async -> [Stored?] {
        var resolution = CommitResolution.unknown
        if let commit = error.unknownCommit {
            resolution = await CommitResolution.resolve(commit, at: pool.target, until: deadline)
        }
        var endings: [Stored?] = []
        for record in records {
            guard resolution != .aborted else {
                endings.append(nil)
                continue
            }
            do throws(PostgresError) {
                let found = try await lookup(
                    record.identity,
                    isNew: resolution == .committed,
                    pipelineHash: record.pipelineHash,
                    until: deadline
                )
                // Committed and not there: the vault was deleted since.
                let absence = resolution == .committed ? Self.vaultGone : ChoiceStoreError(error)
                endings.append(found.map { .success($0) } ?? .failure(absence))
            } catch let failure {
                endings.append(.failure(ChoiceStoreError(.unknown, failure.description)))
            }
        }
        return endings
    }

    // MARK: Asking before

    /// Of requests that were answered before, how: by identity.
    package func outcomes(
        of runs: [RunIdentity],
        until deadline: ContinuousClock.Instant
    ) async throws(ChoiceStoreError) -> [String: String] {
        do throws(PostgresError) {
            let rows = try await pool.read(
                [
                    """
                    select r.identity, r.outcome
                    from rows from (
                        pg_catalog.unnest(\(runs.map(\.digest))), pg_catalog.unnest(\(runs.map { PostgresUUID($0.vault.text) }))
                    ) as a (identity, vault_id)
                    join public.recommendation_runs r on r.identity = a.identity and r.vault_id = a.vault_id
                    """
                ],
                until: deadline
            )
            var outcomes: [String: String] = [:]
            for row in try rows[0].map({ row throws(PostgresError) in row }) {
                outcomes[try row.decode("identity")] = try row.decode("outcome", as: String.self)
            }
            return outcomes
        } catch {
            throw ChoiceStoreError(error)
        }
    }
}

extension SetRecord {
    /// The set as it is now that this record was written.
    fileprivate var justStored: StoredSet {
        StoredSet(
            runID: run,
            vault: vault,
            result: result,
            isNew: true,
            pipelineName: pipelineName,
            pipelineHash: pipelineHash,
            isOfAnotherPipeline: false
        )
    }
}

extension ChoiceStoreError {
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
