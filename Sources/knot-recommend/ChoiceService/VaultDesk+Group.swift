import JSONDocument
import KnotDomain
import PostgresClient
import Recommendation
import StageGraph
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

/// Several vaults that were prepared together.
struct PreparedGroup: Sendable {
    /// What is to be done for one of them.
    enum Member: Sendable {
        case job(ChoiceJob)
        /// The request was answered before, and so it ended.
        case answered(outcome: String)
        case failed(CommandError)
    }

    var members: [(id: VaultID, member: Member)] = []
    /// How much the server has sent.
    var byteCount = 0
}

/// How many vaults are read in one round trip: as many as are not too much for memory, as far as the last ones tell.
struct GroupSize: Sendable {
    static let most = 32
    private static let mostBytes = 1 << 20

    /// Few at first, since nothing is known of their size.
    private(set) var count = 4

    /// Takes note of how much a group was.
    mutating func learn(bytes: Int, vaults: Int) {
        guard vaults > 0 else { return }
        let fitting = Self.mostBytes * vaults / max(1, bytes)
        count = min(max(1, fitting), 2 * count, Self.most)
    }
}

/// The ids of all vaults in their order, fetched a page at a time; those that come and go meanwhile do no harm.
struct VaultPages: Sendable {
    let desk: VaultDesk
    let size: Int
    private var page: [VaultID] = []
    private var place = 0
    private var isLast = false

    init(desk: VaultDesk, size: Int) {
        self.desk = desk
        self.size = size
    }

    /// The next few, at most so many; none after the last.
    mutating func next(most: Int) async throws(CommandError) -> [VaultID] {
        if place == page.count {
            guard !isLast else { return [] }
            page = try await desk.page(after: page.last, limit: size)
            place = 0
            isLast = page.count < size
        }
        let ids = page[place..<min(page.count, place + most)]
        place = ids.endIndex
        return Array(ids)
    }
}

/// The vaults of a source without reading twice what was read to prepare the run.
struct ReadVaults: VaultSource {
    let source: PostgresVaultSource

    func vault(_ id: VaultID) async throws(StageFailure) -> Vault {
        do throws(VaultReadError) {
            return try await source.stored(id).vault
        } catch {
            throw error.stageFailure
        }
    }
}
