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
    private let catalogue: VaultCatalogue?
    private let shared: IndexedCatalogue?
    private let copy: SnapshotProvider?
    private let limit: Duration
    /// The table holds items of providers by their names, so that it answers for all of them.
    package var capabilities: [ProviderCapability] { copy?.capabilities ?? ProviderCapability.wellKnown }

    /// Without a vault there are everybody's items only; without an embedder, the search by words only.
    ///
    /// The catalogue is what was read of this vault already, and `shared` are everybody's items where they lie in memory or
    /// in a copy on the disk, which is searched by so many threads; without them the database is asked in each search.
    package init(
        _ pool: ConnectionPool,
        vault: VaultID?,
        embedder: (any TextEmbedder)? = nil,
        catalogue: VaultCatalogue? = nil,
        shared: SharedCatalogue.Contents? = nil,
        threads: Int = 1,
        limit: Duration = .seconds(3)
    ) {
        self.pool = pool
        self.vault = vault.flatMap { PostgresUUID($0.text) }
        self.embedder = embedder
        self.catalogue = catalogue.flatMap { $0.isCut ? nil : $0 }
        self.shared = shared?.indexed
        copy = shared?.copy.map { SnapshotProvider($0, embedder: embedder, threads: threads) }
        self.limit = limit
    }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        if let catalogue, catalogue.isEmpty, !catalogue.hasShared { return [] }
        let wanted = CatalogueQuery(query)
        guard wanted.limit > 0, !wanted.types.isEmpty else { return [] }
        if let copy { return try await own(wanted, before: try await copied(query, of: copy)) }
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
        return try await searching(wanted, withShared: true)
    }

    /// What the database finds; what was put there for this vault is offered even where no word fits, behind all that does.
    private func searching(_ wanted: CatalogueQuery, withShared: Bool) async throws(StageFailure) -> [Candidate] {
        let (found, own, vectors) = try await searched(wanted, withShared: withShared)
        let index = try Self.index(try Self.readable(found))
        let phrases = zip(wanted.phrases, vectors + Array(repeating: nil, count: wanted.phrases.count - vectors.count))
            .map { CatalogueIndex.Phrase(text: $0, vector: $1) }
        let rest = Array(found.candidates.prefix(own))
        return Self.answer([try index.found(for: phrases, where: { _ in true })], rest: rest, wanted)
    }

    // MARK: On the disk

    /// What the copy finds, its vectors kept for the stages that compare it.
    private func copied(_ query: ProviderQuery, of copy: SnapshotProvider) async throws(StageFailure) -> [Candidate] {
        let found = try await copy.candidates(for: query)
        guard let embedder = embedder as? VaultEmbedder, copy.snapshot.model == embedder.model else { return found }
        do throws(CatalogueError) {
            for candidate in found {
                guard let vector = try copy.snapshot.item(withID: candidate.id)?.vector else { continue }
                embedder.remember(candidate, vector)
            }
        } catch {
            throw StageFailure(.provider, code: "catalogue_search", "\(error)")
        }
        return found
    }

    /// The vault's own items in the order of what is asked, before what else was found.
    private func own(_ wanted: CatalogueQuery, before shared: [Candidate]) async throws(StageFailure) -> [Candidate] {
        guard vault != nil else { return Array(shared.prefix(wanted.limit)) }
        let own: [Candidate]
        if let catalogue {
            let allowed = catalogue.items.allowed(by: wanted)
            guard !allowed.candidates.isEmpty else { return Array(shared.prefix(wanted.limit)) }
            own = try await ranked(allowed, wanted, with: nil)
        } else {
            own = try await searching(wanted, withShared: false)
        }
        let ids = Set(own.map(\.id))
        return Array((own + shared.filter { !ids.contains($0.id) }).prefix(wanted.limit))
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
        return Self.answer(parts, rest: own.candidates, wanted)
    }

    /// The best of all parts first, equal ones in the order of the parts; then the rest.
    private static func answer(
        _ parts: [[(candidate: Candidate, score: Double)]],
        rest: [Candidate],
        _ wanted: CatalogueQuery
    ) -> [Candidate] {
        let found = parts.joined().enumerated()
            .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .map(\.element.candidate)
        var seen: Set<CandidateID> = []
        return Array((found + rest).filter { seen.insert($0.id).inserted }.prefix(wanted.limit))
    }

    // MARK: In the database

    /// The rows that words or vectors find, how many of the first are the vault's own, and the vectors of the first phrases.
    private func searched(
        _ wanted: CatalogueQuery,
        withShared: Bool
    ) async throws(StageFailure) -> (FoundItems, own: Int, [Embedding?]) {
        var vectors: [Embedding?] = []
        if let embedder {
            vectors = try await wanted.vectors(
                of: Array(wanted.phrases.prefix(CatalogueStatements.mostVectors)),
                embedder
            )
        }
        do throws(PostgresError) {
            let asked = vectors.compactMap(\.self).filter { $0.norm > 0 }
            let (found, own) = try await search(wanted, asked, withShared: withShared)
            (embedder as? VaultEmbedder)?.remember(found)
            return (found, own, vectors)
        } catch {
            throw error.stageFailure
        }
    }

    private func search(
        _ wanted: CatalogueQuery,
        _ vectors: [Embedding],
        withShared: Bool
    ) async throws(PostgresError) -> (FoundItems, own: Int) {
        let model = embedder?.model
        let whose = CatalogueStatements.whose(vault, withShared: withShared)
        var queries: [SQLQuery] = []
        if let vault { queries.append(CatalogueStatements.own(wanted, vault: vault, model: model)) }
        queries.append(CatalogueStatements.byWords(wanted, among: whose, model: model))
        for vector in vectors where vector.model == model {
            let values = PostgresVector(vector.values)
            queries.append(CatalogueStatements.byVector(wanted, among: whose, values, model: vector.model))
        }
        let found = try await pool.read(
            queries,
            after: vectors.isEmpty ? [] : [CatalogueStatements.vectorPath],
            until: .now + limit
        )
        var items = FoundItems(model: model)
        var own = 0
        for (number, part) in found.enumerated() {
            _ = try items.add(part)
            if number == 0, vault != nil { own = items.candidates.count }
        }
        return (items, own)
    }
}
