import Fixtures
import KnotDomain
import PostgresClient
import TestSupport
import Testing
import VectorSearch

@testable import VaultStore

/// The search in the database and the one in process are the same search.
@Suite("The search over hints", .tags(.database)) struct HintSearchTests {
    private struct Found: Equatable {
        let id: String
        let similarity: Double
    }

    /// Vectors of a vault's hints that are hard to tell apart: near, equal, opposite, zero, tiny and huge ones.
    private static func vectors(_ count: Int, _ random: inout SeededRandom) -> [[Float]] {
        var vectors: [[Float]] = []
        for _ in 0..<count {
            let base = vectors.randomElement(using: &random)
            switch (Int.random(in: 0..<10, using: &random), base) {
            case (0, _): vectors.append([Float](repeating: 0, count: 768))
            case (1, let base?): vectors.append(base)
            case (2, let base?): vectors.append(base.map { -$0 })
            // Twice as long is in the same direction to the last bit.
            case (3, let base?): vectors.append(base.map { $0 * 2 })
            case (4, let base?):
                var near = base
                near[Int.random(in: 0..<768, using: &random)] += 0.01
                vectors.append(near)
            default:
                let scale: Float = [1, 1e-6, 1e6].randomElement(using: &random) ?? 1
                vectors.append((0..<768).map { _ in Float.random(in: -1...1, using: &random) * scale })
            }
        }
        return vectors
    }

    private static func inDatabase(
        _ connection: PostgresConnection,
        _ vault: VaultID,
        _ query: [Float],
        threshold: Double,
        limit: Int
    ) async throws -> [Found] {
        let uuid = try #require(PostgresUUID(vault.text))
        let rows = try await connection.run(
            """
            select m.id, m.similarity
            from public.match_hints(\(PostgresVector(query))::public.vector, \(uuid), \(threshold), \(Int32(limit))) m
            """
        )
        return try rows.map { row throws(PostgresError) in
            Found(id: try row.decode("id", as: PostgresUUID.self).description, similarity: try row.decode("similarity"))
        }
    }

    /// The same over the embeddings that came with the vault; rows by id, so that equal scores are in the ids' order.
    private static func inProcess(
        _ embeddings: [HintID: Embedding],
        _ query: [Float],
        threshold: Double,
        limit: Int
    ) throws -> [Found] {
        var matrix = try EmbeddingMatrix(model: "m", capacity: embeddings.count)
        for (id, embedding) in embeddings.sorted(by: { $0.key < $1.key }) { try matrix.append(embedding, id: id.text) }
        let index = try ExactIndex(matrix)
        let embedding = try #require(Embedding(query, model: "m"))
        let answer = try index.search([embedding], limit: limit, atLeast: Float(threshold))
        return answer.matches[0].map { Found(id: index.id(of: $0), similarity: Double($0.score)) }
    }

    /// Equal ids in equal order, where only what is closer than rounding may change places.
    private static func expectSame(_ one: [Found], _ other: [Found], _ what: String) {
        #expect(one.count == other.count, "\(what)")
        let known = Dictionary(uniqueKeysWithValues: one.map { ($0.id, $0.similarity) })
        for (left, right) in zip(one, other) {
            #expect(abs(left.similarity - right.similarity) < 1e-5, "\(what)")
            guard left.id != right.id else { continue }
            // Exact ties go by id in both; anything else that changes places must be as good as a tie.
            let twin = known[right.id] ?? .infinity
            #expect(abs(left.similarity - twin) < 1e-6 && left.similarity != twin, "\(what): \(left) and \(right)")
        }
    }

    @Test(arguments: ServerVersion.serving)
    func `agrees on random vaults`(on version: ServerVersion) async throws {
        try await withDatabase(version, .migrated) { database in
            let fixtures = try JudgedFixtures.all().prefix(6).map(\.fixture)
            try await database.run(fixtures.map { StoredFixture($0).sql }.joined())
            let pool = try VaultDatabase.pool(database)
            let connection = try await PostgresConnection.connect(to: pool.target)
            let source = PostgresVaultSource(pool, embeddings: .all)
            for (seed, fixture) in fixtures.enumerated() {
                var random = SeededRandom(seed: UInt64(seed))
                let hints = fixture.vault.hints
                let vectors = Self.vectors(hints.count, &random)
                let updates: [SQLQuery] = try zip(hints, vectors).map { hint, vector in
                    let id = try #require(PostgresUUID(hint.id.text))
                    return """
                        update public.hints set hint_embedding = \(PostgresVector(vector)), hint_embedding_model = 'm'
                        where id = \(id)
                        """
                }
                _ = try await connection.pipeline(updates)
                let embeddings = try await source.load(fixture.vault.id).hintEmbeddings
                #expect(embeddings.count == hints.count)
                for query in Self.vectors(12, &random) + vectors.prefix(4) {
                    for (threshold, limit) in [(-1.0, 100), (0, 10), (0.25, 5), (-0.5, 1)] {
                        let what = "seed \(seed), threshold \(threshold), limit \(limit)"
                        let there = try await Self.inDatabase(
                            connection,
                            fixture.vault.id,
                            query,
                            threshold: threshold,
                            limit: limit
                        )
                        let here = try Self.inProcess(embeddings, query, threshold: threshold, limit: limit)
                        Self.expectSame(there, here, what)
                    }
                }
            }
            await connection.close()
        }
    }

    @Test func `puts exact ties in the order of their ids, and finds nothing without a direction`() async throws {
        try await VaultDatabase.withVault { database, fixture, source in
            try await database.run(
                """
                update public.hints set hint_embedding = array_fill(1, array[768])::vector, hint_embedding_model = 'm';
                update public.hints set hint_embedding = array_fill(0, array[768])::vector
                    where id = '\(fixture.vault.hints[0].id)';
                """
            )
            let connection = try await PostgresConnection.connect(to: source.pool.target)
            let embeddings = try await PostgresVaultSource(source.pool, embeddings: .all)
                .load(fixture.vault.id).hintEmbeddings
            let ones = [Float](repeating: 1, count: 768)
            let there = try await Self.inDatabase(connection, fixture.vault.id, ones, threshold: -1, limit: 100)
            let here = try Self.inProcess(embeddings, ones, threshold: -1, limit: 100)
            let expected = fixture.vault.hints.dropFirst().map(\.id.text).sorted()
            #expect(there.map(\.id) == expected && here.map(\.id) == expected)
            let zeros = [Float](repeating: 0, count: 768)
            #expect(try await Self.inDatabase(connection, fixture.vault.id, zeros, threshold: -1, limit: 9) == [])
            #expect(try Self.inProcess(embeddings, zeros, threshold: -1, limit: 9) == [])
            await connection.close()
        }
    }
}
