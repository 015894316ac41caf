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
    private let stock: CatalogueStock?
    private let shared: ShelvedCatalogue?
    private let limit: Duration

    /// Without a vault there are everybody's items only; without an embedder, the search by words only.
    ///
    /// The stock is what was read of this vault already, and `shared` are everybody's items where they lie in memory;
    /// without them the database is asked in each search.
    package init(
        _ pool: ConnectionPool,
        vault: VaultID?,
        embedder: (any TextEmbedder)? = nil,
        stock: CatalogueStock? = nil,
        shared: ShelvedCatalogue? = nil,
        limit: Duration = .seconds(3)
    ) {
        self.pool = pool
        self.vault = vault.flatMap { PostgresUUID($0.text) }
        self.embedder = embedder
        self.stock = stock.flatMap { $0.isCut ? nil : $0 }
        self.shared = shared
        self.limit = limit
    }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        if let stock, stock.isEmpty, !stock.hasShared { return [] }
        let wish = CatalogueWish(query)
        guard wish.limit > 0, !wish.types.isEmpty else { return [] }
        if let stock, !stock.hasShared || shared != nil {
            let own = stock.items.allowed(by: wish)
            // The vault's own items are its whole outside world, and all of them are offered in their order.
            if !stock.hasShared, own.candidates.count <= wish.limit { return try Self.readable(own).candidates }
            return try await ranked(own, wish, with: shared.flatMap { stock.hasShared ? $0[wish.provider] : nil })
        }
        let (found, own, vectors) = try await searched(wish)
        let shelf = try Self.shelf(try Self.readable(found))
        let phrases = zip(wish.phrases, vectors + Array(repeating: nil, count: wish.phrases.count - vectors.count))
            .map { CatalogueShelf.Phrase(text: $0, vector: $1) }
        // What was put there for this vault is offered even where no word fits, behind all that does.
        let rest = Array(found.candidates.prefix(own))
        return Self.answer([try shelf.found(for: phrases, where: { _ in true })], rest: rest, wish)
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

    private static func shelf(_ items: FoundItems) throws(StageFailure) -> CatalogueShelf {
        var meaning: ShelfMeaning?
        do throws(VectorSearchError) {
            if let model = items.model {
                meaning = try ShelfMeaning(zip(items.candidates, items.vectors).map { ("", $1) }, model: model)
            }
        } catch {
            throw StageFailure(.provider, code: "catalogue_search", "the catalogue cannot be searched: \(error)")
        }
        return CatalogueShelf(items.candidates, meaning: meaning)
    }

    // MARK: In memory

    private func ranked(
        _ own: FoundItems,
        _ wish: CatalogueWish,
        with shared: CatalogueShelf?
    ) async throws(StageFailure) -> [Candidate] {
        if shared == nil { _ = try Self.readable(own) }
        let shelf = try Self.shelf(own)
        let phrases = try await wish.shelfPhrases(embedder, for: [shelf] + (shared.map { [$0] } ?? []))
        var parts = [try shelf.found(for: phrases, where: { _ in true })]
        if let shared { parts.append(try shared.found(for: phrases, where: wish.allows)) }
        return Self.answer(parts, rest: own.candidates, wish)
    }

    /// The best of all parts first, equal ones in the order of the parts; then the rest.
    private static func answer(
        _ parts: [[(candidate: Candidate, score: Double)]],
        rest: [Candidate],
        _ wish: CatalogueWish
    ) -> [Candidate] {
        let found = parts.joined().enumerated()
            .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .map(\.element.candidate)
        var seen: Set<CandidateID> = []
        return Array((found + rest).filter { seen.insert($0.id).inserted }.prefix(wish.limit))
    }

    // MARK: In the database

    /// The rows that words or vectors find, how many of the first are the vault's own, and the vectors of the first phrases.
    private func searched(_ wish: CatalogueWish) async throws(StageFailure) -> (FoundItems, own: Int, [Embedding?]) {
        var vectors: [Embedding?] = []
        if let embedder {
            vectors = try await wish.vectors(
                of: Array(wish.phrases.prefix(CatalogueStatements.mostVectors)),
                embedder
            )
        }
        do throws(PostgresError) {
            let (found, own) = try await search(wish, vectors.compactMap(\.self).filter { $0.norm > 0 })
            (embedder as? VaultEmbedder)?.remember(found)
            return (found, own, vectors)
        } catch {
            throw error.stageFailure
        }
    }

    private func search(
        _ wish: CatalogueWish,
        _ vectors: [Embedding]
    ) async throws(PostgresError) -> (FoundItems, own: Int) {
        let model = embedder?.model
        var queries: [SQLQuery] = []
        if let vault { queries.append(CatalogueStatements.own(wish, vault: vault, model: model)) }
        queries.append(CatalogueStatements.byWords(wish, model: model))
        for vector in vectors where vector.model == model {
            let values = PostgresVector(vector.values)
            queries.append(CatalogueStatements.byVector(wish, vault: vault, values, model: vector.model))
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
