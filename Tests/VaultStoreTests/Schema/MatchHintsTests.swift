import TestSupport
import Testing

@testable import VaultStore

/// The search over a vault's hints that production's app calls.
@Suite(.onOwnThreads, .tags(.database)) struct MatchHintsTests {
    /// A vector of 768 numbers of which only the first two are not zero.
    private static func vector(_ first: Double, _ second: Double) -> String {
        "(array[\(first), \(second)]::float8[] || array_fill(0::float8, array[766]))::vector"
    }

    private static func withHints(
        _ server: ServerVersion,
        _ body: (SchemaSession) async throws -> Void
    ) async throws {
        try await SchemaDatabase.with(server) { database in
            let session = try database.connect()
            try await session.run(script: SchemaSeed.script(people: 1...2))
            try await body(session)
        }
    }

    private static func insert(_ session: SchemaSession, _ text: String, of person: Int, _ vector: String) async throws
    {
        try await session.run(
            script: "insert into public.hints (vault_id, hint_text, source, hint_embedding) values "
                + "('\(SchemaSeed.id(2, of: person))', '\(text)', 'text_input', \(vector))"
        )
    }

    private static func match(_ session: SchemaSession, _ rest: String = "") async throws -> [String] {
        try await session.column(
            "select hint_text || ' ' || round(similarity::numeric, 4) from public.match_hints(\(vector(1, 0)), "
                + "'\(SchemaSeed.id(2, of: 1))'\(rest)) with ordinality order by ordinality"
        )
    }

    @Test(arguments: ServerVersion.serving)
    func `the best come first, from the threshold up, and only as many as wanted`(on server: ServerVersion) async throws
    {
        try await Self.withHints(server) { session in
            try await Self.insert(session, "half", of: 1, Self.vector(1, 1))
            try await Self.insert(session, "same", of: 1, Self.vector(3, 0))
            try await Self.insert(session, "across", of: 1, Self.vector(0, 1))
            try await Self.insert(session, "against", of: 1, Self.vector(-1, 0))
            try await Self.insert(session, "other vault", of: 2, Self.vector(1, 0))
            #expect(try await Self.match(session) == ["same 1.0000", "half 0.7071", "across 0.0000"])
            #expect(try await Self.match(session, ", -1").last == "against -1.0000")
            #expect(try await Self.match(session, ", 0.5") == ["same 1.0000", "half 0.7071"])
            #expect(try await Self.match(session, ", -1, 1") == ["same 1.0000"])
        }
    }

    @Test func `a hint without an embedding or a direction is no match`() async throws {
        try await Self.withHints(.eighteen) { session in
            #expect(try await Self.match(session, ", -1") == [])
            try await Self.insert(session, "nothing", of: 1, Self.vector(0, 0))
            #expect(try await Self.match(session, ", -1") == [])
        }
    }

    @Test func `a small vault among many is searched to its end`() async throws {
        try await Self.withHints(.eighteen) { session in
            try await session.run(
                script: """
                    insert into public.hints (vault_id, hint_text, source, hint_embedding)
                    select '\(SchemaSeed.id(2, of: 2))', 'crowd', 'text_input',
                        (array[1, n / 10000.0]::float8[] || array_fill(0::float8, array[766]))::vector
                    from generate_series(1, 500) n;
                    analyze public.hints;
                    """
            )
            try await Self.insert(session, "mine", of: 1, Self.vector(1, 2))
            // The approximate index would look at its nearest forty, all of them of the other vault.
            try await session.run(script: "set enable_seqscan = off; set enable_sort = off")
            #expect(try await Self.match(session) == ["mine 0.4472"])
        }
    }

    @Test func `it shows nobody what they may not see`() async throws {
        try await Self.withHints(.eighteen) { session in
            try await Self.insert(session, "mine", of: 1, Self.vector(1, 0))
            for (role, person, expected) in [("authenticated", 2, 0), ("authenticated", 1, 1), ("anon", 1, 0)] {
                // anon carries nobody's claims.
                let claims = role == "anon" ? "" : "{\"sub\": \"\(SchemaSeed.id(1, of: person))\"}"
                try await session.run(
                    script: "begin; set local role \(role); select set_config('request.jwt.claims', '\(claims)', true)"
                )
                let found = try await Self.match(session)
                try await session.run(script: "rollback")
                #expect(found.count == expected, "\(role) \(person)")
            }
        }
    }

    @Test func `ids, order and similarity are those of plain arithmetic`() async throws {
        try await Self.withHints(.eighteen) { session in
            try await session.run(
                script: """
                    select setseed(0.25);
                    insert into public.hints (vault_id, hint_text, source, hint_embedding)
                    select '\(SchemaSeed.id(2, of: 1))', 'h' || n, 'text_input',
                        (select array_agg(random() - 0.5 + n * 0 * k) from generate_series(1, 768) k)::vector
                    from generate_series(1, 60) n;
                    """
            )
            func numbers(_ text: String?) -> [Double] {
                (text ?? "").split(whereSeparator: { "[],".contains($0) }).compactMap { Double($0) }
            }
            let rows = try await session.rows(
                "select id::text, hint_embedding::text from public.hints where hint_embedding is not null"
            )
            let query = numbers(rows[0][1])
            let expected = rows.map { row in
                let vector = numbers(row[1])
                func dot(_ left: [Double], _ right: [Double]) -> Double {
                    zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
                }
                let similarity = dot(query, vector) / (dot(query, query) * dot(vector, vector)).squareRoot()
                return (id: row[0] ?? "", similarity: similarity)
            }.sorted { ($1.similarity, $0.id) < ($0.similarity, $1.id) }
            let found = try await session.rows(
                "select id::text, similarity from public.match_hints($1::vector, $2::uuid, -1, 100)",
                [rows[0][1], SchemaSeed.id(2, of: 1)]
            )
            #expect(found.map { $0[0] } == expected.map(\.id))
            for (row, plain) in zip(found, expected) {
                #expect(abs((row[1].flatMap { Double($0) } ?? 9) - plain.similarity) < 1e-5)
            }
        }
    }
}
