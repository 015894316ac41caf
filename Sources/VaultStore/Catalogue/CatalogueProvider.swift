import JSONDocument
package import KnotDomain
package import Recommendation
package import StageGraph
import VectorSearch

/// The catalogue in the database as a provider: the items of one vault and everybody's, by words and by vectors.
package struct CatalogueProvider: CandidateProvider {
    private let pool: ConnectionPool
    private let identity: ActingIdentity
    private let vault: PostgresUUID?
    private let embedder: (any TextEmbedder)?
    private let stock: CatalogueStock?
    private let limit: Duration

    /// Without a vault there are everybody's items only; without an embedder, the search by words only.
    ///
    /// The stock is what was read of this vault already; without it the database is asked in each search.
    package init(
        _ pool: ConnectionPool,
        vault: VaultID?,
        as identity: ActingIdentity = .connection,
        embedder: (any TextEmbedder)? = nil,
        stock: CatalogueStock? = nil,
        limit: Duration = .seconds(3)
    ) {
        self.pool = pool
        self.identity = identity
        self.vault = vault.flatMap { PostgresUUID($0.text) }
        self.embedder = embedder
        self.stock = stock.flatMap { $0.isCut ? nil : $0 }
        self.limit = limit
    }

    package func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        let wish = CatalogueWish(query)
        guard wish.limit > 0, !wish.types.isEmpty else { return [] }
        let (rows, lists) = try await found(wish)
        guard !rows.candidates.isEmpty || rows.problems.isEmpty else {
            throw StageFailure(
                .provider,
                code: "bad_answer",
                "no item of the catalogue can be read: \(rows.problems[0])"
            )
        }
        let byWords = CatalogueIndex(rows.candidates).rankings(for: wish.phrases)
        let ranked = RankFusion.merge(interleaved(byWords, lists), count: rows.candidates.count)
        // What was put there for this vault is offered even where no word fits, behind all that does.
        let isRanked = Set(ranked)
        let rest = rows.candidates.indices.filter { !isRanked.contains($0) }
        return (ranked + rest).prefix(wish.limit).map { rows.candidates[$0] }
    }

    /// A phrase's list by words and its list by vectors stand side by side, so that both weigh the same.
    private func interleaved(_ words: [[Int]], _ vectors: [[Int]]) -> [[Int]] {
        words.indices.flatMap { $0 < vectors.count ? [words[$0], vectors[$0]] : [words[$0]] }
    }

    /// The rows found, and for each vector the places of its nearest; no question where the stock has all there is.
    private func found(_ wish: CatalogueWish) async throws(StageFailure) -> (FoundItems, [[Int]]) {
        if let stock, !stock.hasShared, !stock.hasVectors || embedder == nil {
            return (stock.items.allowed(by: wish), [])
        }
        let vectors = try await vectors(wish.phrases)
        do throws(PostgresError) {
            return try await search(wish, vectors)
        } catch {
            throw error.stageFailure
        }
    }

    /// The rows found, and for each vector the places of its nearest.
    private func search(
        _ wish: CatalogueWish,
        _ vectors: [Embedding]
    ) async throws(PostgresError) -> (FoundItems, [[Int]]) {
        var queries: [SQLQuery] = []
        if let vault { queries.append(CatalogueStatements.own(wish, vault: vault)) }
        queries.append(CatalogueStatements.byWords(wish))
        let plain = queries.count
        for vector in vectors {
            let values = PostgresVector(vector.values)
            queries.append(CatalogueStatements.byVector(wish, vault: vault, values, model: vector.model))
        }
        let found = try await pool.read(
            queries,
            after: vectors.isEmpty ? [] : [CatalogueStatements.vectorPath],
            as: identity,
            until: .now + limit
        )
        var rows = FoundItems()
        for part in found.prefix(plain) { _ = try rows.add(part) }
        let lists = try found.dropFirst(plain).map { part throws(PostgresError) in try rows.add(part) }
        return (rows, lists)
    }

    /// Vectors of the first phrases; none without an embedder or while it is down, since words still serve then.
    private func vectors(_ phrases: [String]) async throws(StageFailure) -> [Embedding] {
        let phrases = Array(phrases.prefix(CatalogueStatements.mostVectors))
        guard let embedder, !phrases.isEmpty else { return [] }
        do throws(StageFailure) {
            return try await embedder.embeddings(of: phrases).filter { $0.norm > 0 }
        } catch {
            guard error.failureClass.isRetryable else { throw error }
            return []
        }
    }
}
