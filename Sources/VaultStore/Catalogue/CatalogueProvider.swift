import Catalogue
import JSONDocument
package import KnotDomain
package import PostgresClient
package import Recommendation
package import StageGraph
import VectorSearch

/// The catalogue in the database as a provider: the items of one vault and everybody's, by words and by vectors.
package struct CatalogueProvider: CandidateProvider {
    private let pool: ConnectionPool
    private let vault: PostgresUUID?
    private let embedder: (any TextEmbedder)?
    /// All of the vault's own items; nil where they are not known or too many.
    private let catalogue: VaultCatalogue?
    /// Some of them.
    private let known: FoundItems?
    private let shared: IndexedCatalogue?
    private let copy: SnapshotProvider?
    private let limit: Duration
    /// The table holds items of providers by their names, so that it answers for all that are known to be in it.
    package let capabilities: [ProviderCapability]

    /// Without a vault there are everybody's items only; without an embedder, the search by words only.
    ///
    /// The catalogue is what was read of this vault already, and `shared` are everybody's items where they lie in memory or
    /// in a copy on the disk, which is searched for what is asked by so many threads; without them the database is asked in
    /// each search.
    package init(
        _ pool: ConnectionPool,
        vault: VaultID?,
        embedder: (any TextEmbedder)? = nil,
        catalogue: VaultCatalogue? = nil,
        shared: SharedCatalogue.Contents? = nil,
        asked: Set<ProviderName>? = nil,
        threads: Int = 1,
        limit: Duration = .seconds(3)
    ) {
        self.pool = pool
        self.vault = vault.flatMap { PostgresUUID($0.text) }
        self.embedder = embedder
        self.catalogue = catalogue.flatMap { $0.isCut ? nil : $0 }
        known = catalogue?.items
        self.shared = shared?.indexed
        copy = shared?.copy.map { SnapshotProvider($0, embedder: embedder, asked: asked, threads: threads) }
        let own = Set(catalogue?.items.candidates.map(\.provider) ?? []).union(shared?.indexed?.providers ?? [])
        let others = ProviderCapability.known(besides: own.sorted { $0.rawValue < $1.rawValue })
        let copied = copy?.capabilities ?? []
        // The database has what the vault says already, so that it may be asked by the run's rules.
        capabilities = copied + others.filter { other in !copied.contains { $0.name == other.name } }.map(\.inProcess)
        self.limit = limit
    }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        if let catalogue, catalogue.isEmpty, !catalogue.hasShared { return [] }
        let wanted = CatalogueQuery(query)
        guard wanted.limit > 0, !wanted.types.isEmpty else { return [] }
        if let copy {
            do throws(StageFailure) {
                return try await own(query, wanted, before: try await copy.candidates(for: query))
            } catch {
                guard error.failureClass.isRetryable else { throw error }
                query.shortfalls.note("the database was searched in place of its copy: \(error.detail)")
            }
        }
        if let catalogue, !catalogue.hasShared || shared != nil {
            let own = catalogue.items.allowed(by: wanted)
            // The vault's own items are its whole outside world, and all of them are offered in their order.
            if !catalogue.hasShared, own.candidates.count <= wanted.limit { return try Self.readable(own).candidates }
            return try await ranked(
                own,
                wanted,
                with: shared.flatMap { catalogue.hasShared ? $0[wanted.provider] : nil }
            )
        }
        return try await searching(query, wanted, withShared: true)
    }

    // MARK: In the database

    /// What the database finds; what was put there for this vault is offered even where no word fits, behind all that does.
    private func searching(
        _ query: ProviderQuery,
        _ wanted: CatalogueQuery,
        withShared: Bool
    ) async throws(StageFailure) -> [Candidate] {
        let time = SearchTime(for: query, atMost: limit)
        let phrases = try await wanted.phrases(embedding: CatalogueStatements.mostVectors, embedder)
        var search = TableSearch(pool, wanted, model: embedder?.model, in: time)
        do throws(PostgresError) {
            try await search.run(phrases, of: vault, withShared: withShared, known: known, notes: query.shortfalls)
        } catch {
            throw error.stageFailure
        }
        (embedder as? VaultEmbedder)?.remember(search.items)
        let index = try Self.index(try Self.readable(search.items))
        return try Self.answer([try index.found(for: phrases, where: { _ in true })], rest: search.unsearched, wanted)
    }

    // MARK: On the disk

    /// The vault's own items in the order of what is asked, before what else was found.
    private func own(
        _ query: ProviderQuery,
        _ wanted: CatalogueQuery,
        before shared: [Candidate]
    ) async throws(StageFailure) -> [Candidate] {
        guard vault != nil else { return try wanted.best(of: shared) }
        let own: [Candidate]
        if let catalogue {
            let allowed = catalogue.items.allowed(by: wanted)
            guard !allowed.candidates.isEmpty else { return try wanted.best(of: shared) }
            own = try await ranked(allowed, wanted, with: nil)
        } else {
            do throws(StageFailure) {
                own = try await searching(query, wanted, withShared: false)
            } catch {
                guard error.failureClass.isRetryable, !shared.isEmpty else { throw error }
                query.shortfalls.note("the vault's own offers were left out: \(error.detail)")
                own = []
            }
        }
        return ProviderQuery.joined([own, shared], limit: wanted.limit)
    }

    /// Throws where there are items and none of them is a candidate.
    private static func readable(_ items: FoundItems) throws(StageFailure) -> FoundItems {
        guard !items.candidates.isEmpty || items.problems.isEmpty else {
            throw StageFailure(
                .provider,
                code: "bad_answer",
                "no item of the catalogue can be read: \(items.problems[0])"
            )
        }
        return items
    }

    private static func index(_ items: FoundItems) throws(StageFailure) -> CatalogueIndex {
        var meaning: CatalogueVectors?
        do throws(VectorSearchError) {
            if let model = items.model {
                meaning = try CatalogueVectors(zip(items.candidates, items.vectors).map { ("", $1) }, model: model)
            }
        } catch {
            throw StageFailure(.provider, code: "catalogue_search", "the catalogue cannot be searched: \(error)")
        }
        return CatalogueIndex(items.candidates, meaning: meaning)
    }

    // MARK: In memory

    private func ranked(
        _ own: FoundItems,
        _ wanted: CatalogueQuery,
        with shared: CatalogueIndex?
    ) async throws(StageFailure) -> [Candidate] {
        if shared == nil { _ = try Self.readable(own) }
        let index = try Self.index(own)
        let phrases = try await wanted.embeddedPhrases(embedder, for: [index] + (shared.map { [$0] } ?? []))
        var parts = [try index.found(for: phrases, where: { _ in true })]
        if let shared { parts.append(try shared.found(for: phrases, where: wanted.allows)) }
        return try Self.answer(parts, rest: own.candidates, others: shared, wanted)
    }

    /// The best of all parts first, equal ones in the order of the parts; then the rest, and others where need be.
    private static func answer(
        _ parts: [[(candidate: Candidate, score: Double)]],
        rest: [Candidate],
        others: CatalogueIndex? = nil,
        _ wanted: CatalogueQuery
    ) throws(StageFailure) -> [Candidate] {
        let found = parts.joined().enumerated()
            .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .map(\.element.candidate)
        var seen: Set<CandidateID> = []
        let fitting = (found + rest).filter { seen.insert($0.id).inserted }
        guard let others, wanted.rules != nil else { return try wanted.best(of: fitting) }
        let all = others.candidates(allowedBy: wanted)
        let behind = all.lazy.filter { !seen.contains($0.id) }
        // Where all there is fits into the answer, it is ordered and nothing left out, as in a file.
        if all.count <= wanted.limit { return try wanted.best(of: fitting + behind) }
        return try wanted.best(of: fitting) { Array(behind) }
    }
}
