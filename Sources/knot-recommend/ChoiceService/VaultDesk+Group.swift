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
        for id in ids {
            do throws(CommandError) {
                let stored = try stored(id, in: group)
                if stored.stock?.hasShared == true { await shareCatalogue() }
                prepared.members.append((id, .job(try job(of: stored, asked))))
            } catch {
                prepared.members.append((id, .failed(error)))
            }
        }
        if asked.request != nil { await tellAnswered(&prepared, asked) }
        return prepared
    }

    /// Puts the ends of requests that were answered before in the place of their jobs, and of what keeps them from one.
    private func tellAnswered(_ prepared: inout PreparedGroup, _ asked: VaultRequest) async {
        let known: [VaultID: AnsweredRequest]
        do throws(CommandError) {
            known = try await answers(to: asked, of: prepared.members.map(\.id))
        } catch {
            for place in prepared.members.indices {
                if case .job = prepared.members[place].member { prepared.members[place].member = .failed(error) }
            }
            return
        }
        for place in prepared.members.indices {
            guard let answer = known[prepared.members[place].id] else { continue }
            do throws(CommandError) {
                _ = try Self.set(of: answer, asked.occasion, at: "vault \(prepared.members[place].id)")
                prepared.members[place].member = .answered(outcome: answer.outcome)
            } catch {
                prepared.members[place].member = .failed(error)
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

    private func job(of stored: StoredVault, _ asked: VaultRequest) throws(CommandError) -> ChoiceJob {
        let occasion = try Self.occasion(asked.occasion, in: stored)
        let asOf = options.asOf ?? stored.imported?.asOf ?? MachineClock().now()
        return try job(
            PostgresVaultSource(pool, embeddings: embeddings, holding: stored),
            stored,
            RunRequest(vaultID: stored.vault.id, occasion: occasion, asOf: asOf, isLive: true),
            kind: .onDemand,
            request: asked.request ?? PostgresUUID.random().description,
            isDryRun: asked.isDryRun,
            // Nobody prints it now, and whoever does lays it out anew.
            style: .compact
        )
    }
}
