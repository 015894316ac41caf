import JSONDocument
import KnotDomain
import Recommendation
import VaultStore

extension VaultDesk {
    /// What is to be done for each of a few vaults, read in one round trip; another tells which were answered before.
    func prepared(_ ids: [VaultID], _ asked: VaultRequest) async -> PreparedGroup {
        let group: VaultGroup
        do throws(VaultReadError) {
            group = try await PostgresVaultSource.group(
                ids,
                pool,
                embeddings: embeddings,
                until: budget.until(Self.readingLimit)
            )
        } catch {
            return await preparedAlone(ids, asked, after: CommandError(error))
        }
        if group.hasShared { await shareCatalogue() }
        var prepared = PreparedGroup(byteCount: group.byteCount)
        var runs: [VaultID: RunIdentity] = [:]
        for id in ids {
            do throws(CommandError) {
                let stored = try stored(id, in: group)
                if stored.stock?.hasShared == true { await shareCatalogue() }
                let (job, run) = try job(of: stored, asked)
                prepared.members.append((id, .job(job)))
                runs[id] = run
            } catch {
                prepared.members.append((id, .failed(error)))
            }
        }
        if !runs.isEmpty { await tellAnswered(&prepared, runs) }
        return prepared
    }

    /// Puts the ends of requests that were answered before in the place of their jobs.
    private func tellAnswered(_ prepared: inout PreparedGroup, _ runs: [VaultID: RunIdentity]) async {
        let outcomes: Result<[String: String], CommandError>
        do throws(ChoiceStoreError) {
            outcomes = .success(
                try await ChoiceStore(pool).outcomes(
                    of: Array(runs.values),
                    until: budget.until(Self.readingLimit)
                )
            )
        } catch {
            outcomes = .failure(CommandError(error, input: "the request"))
        }
        for place in prepared.members.indices {
            let id = prepared.members[place].id
            guard case .job = prepared.members[place].member, let run = runs[id] else { continue }
            switch outcomes {
            case .failure(let error): prepared.members[place].member = .failed(error)
            case .success(let known):
                if let outcome = known[run.digest] { prepared.members[place].member = .answered(outcome: outcome) }
            }
        }
    }

    /// Vaults that could not be read together: one of them may be what no server sends in time.
    private func preparedAlone(
        _ ids: [VaultID],
        _ asked: VaultRequest,
        after error: CommandError
    ) async -> PreparedGroup {
        var prepared = PreparedGroup()
        guard ids.count > 1 else {
            prepared.members = ids.map { ($0, .failed(error)) }
            return prepared
        }
        for (place, id) in ids.enumerated() {
            let one = await self.prepared([id], asked)
            prepared.byteCount += one.byteCount
            prepared.members += one.members
            if case .failed(let error)? = one.members.first?.member, error.isAboutTheDatabase {
                // The others would fail likewise.
                prepared.members += ids[(place + 1)...].map { ($0, .failed(error)) }
                return prepared
            }
        }
        return prepared
    }

    private func stored(_ id: VaultID, in group: VaultGroup) throws(CommandError) -> StoredVault {
        do throws(VaultReadError) {
            return try group.stored(id)
        } catch {
            throw CommandError(error)
        }
    }

    private func job(
        of stored: StoredVault,
        _ asked: VaultRequest
    ) throws(CommandError) -> (ChoiceJob, RunIdentity?) {
        let occasion = try Self.occasion(asked.occasion, in: stored)
        let asOf = options.asOf ?? stored.imported?.asOf ?? MachineClock().now()
        let job = try job(
            PostgresVaultSource(pool, embeddings: embeddings, holding: stored),
            stored,
            RunRequest(vaultID: stored.vault.id, occasion: occasion, asOf: asOf, isLive: true),
            kind: .onDemand,
            request: asked.request ?? PostgresUUID.random().description,
            isDryRun: asked.isDryRun,
            // Nobody prints it now, and whoever does lays it out anew.
            style: .compact
        )
        let run = asked.request.flatMap { runIdentity(stored.vault, occasion, asOf: asOf, .onDemand, $0) }
        return (job, run)
    }
}
