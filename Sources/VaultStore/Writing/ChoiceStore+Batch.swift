import KnotDomain
import PostgresClient
import Recommendation

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
        do throws(PostgresError) {
            return try await pool.write(until: deadline, attempts: 1, reached: reached) {
                transaction throws(PostgresError) in
                try await write(batch, with: more, in: transaction)
            }
        } catch {
            // How its COMMIT ended is not known: whoever stores each alone finds what is there.
            return Array(repeating: nil, count: sets.count)
        }
    }

    private func write(
        _ batch: SetBatch,
        with more: [SQLQuery],
        in transaction: PostgresTransaction
    ) async throws(PostgresError) -> Conclusion<[Stored?]> {
        let results = try await transaction.pipeline([SetRecord.turn(batch.records), batch.insertion] + more)
        reached?(.afterStatements)
        let written = results[1]
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
        return .written(endings, Self.proof(of: endings, batch))
    }

    /// The new sets under their identities: all are there or none is, but for one that was deleted since.
    private static func proof(of endings: [Stored?], _ batch: SetBatch) -> CommitProof<[Stored?]> {
        let written = zip(batch.records, endings).enumerated().compactMap { place, pair -> (Int, SetRecord)? in
            guard case .success(let set)? = pair.1, set.isNew else { return nil }
            return (place, pair.0)
        }
        return CommitProof(written.map { SetRecord.lookup($0.1.identity) }) { rows throws(PostgresError) in
            var seen = endings
            for ((place, record), rows) in zip(written, rows) {
                seen[place] = try Self.seen(record, in: rows).map { .success($0) }
            }
            return written.contains { seen[$0.0] != nil } ? seen : nil
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
