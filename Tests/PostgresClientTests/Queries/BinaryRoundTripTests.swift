import JSONDocument
import TestSupport
import Testing

@testable import PostgresClient

/// Values go to a server and come back; what the server prints of them is compared as well.
@Suite("A value's binary form", .tags(.database), .needs(.fifteen), .database(.fifteen))
struct BinaryRoundTripTests {
    private static let seed: UInt64 = 20_260_315

    private func echo<Value: SQLBindable & SQLReadable & Equatable>(
        _ values: [Value],
        _ cast: StaticString,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let connection = try await openConnection()
        let queries = values.map {
            SQLQuery("select \($0)\(unescaped: cast) as value, null\(unescaped: cast) as nothing")
        }
        let answers = try await connection.pipeline(queries)
        for (value, answer) in zip(values, answers) {
            let row = try answer.only()
            let back = try row.decode("value", as: Value.self)
            #expect(back == value, "seed \(Self.seed)", sourceLocation: sourceLocation)
            let nothing = try row.decode("nothing", as: Value?.self)
            #expect(nothing == nil, sourceLocation: sourceLocation)
        }
    }

    private func random<Value>(_ count: Int = 60, _ make: (inout SeededRandom) -> Value) -> [Value] {
        var random = SeededRandom(seed: Self.seed)
        return (0..<count).map { _ in make(&random) }
    }

    @Test func `keeps numbers`() async throws {
        try await echo([Int.min, .max, 0, -1] + random { Int(truncatingIfNeeded: $0.next()) }, "::int8")
        try await echo([Int32.min, .max, 0, -1] + random { Int32(truncatingIfNeeded: $0.next()) }, "::int4")
        try await echo([Int16.min, .max, 0, -1] + random { Int16(truncatingIfNeeded: $0.next()) }, "::int2")
        try await echo(
            [Double.infinity, -0.0, .leastNonzeroMagnitude] + random { Double.random(in: -1e300...1e300, using: &$0) },
            "::float8"
        )
        try await echo(
            [Float.infinity, .greatestFiniteMagnitude] + random { Float.random(in: -1e30...1e30, using: &$0) },
            "::float4"
        )
        try await echo([true, false], "::bool")
    }

    @Test func `keeps texts, bytes and names of rows`() async throws {
        try await echo(["", "null", "\u{FEFF}"] + random { $0.text() }, "::text")
        try await echo(random { ByteString(Array("\0\u{1}\($0.text())\0".utf8)) }, "::bytea")
        try await echo(random { PostgresUUID(high: $0.next(), low: $0.next()) }, "::uuid")
    }

    @Test func `keeps lists`() async throws {
        try await echo(
            [[]] + random { random in (0..<Int.random(in: 0...5, using: &random)).map { _ in random.text() } },
            "::text[]"
        )
        try await echo([[], [nil], ["a", nil, "NULL"]] as [[String?]], "::text[]")
        try await echo(
            random { random in (0..<3).map { _ in PostgresUUID(high: random.next(), low: random.next()) } },
            "::uuid[]"
        )
        try await echo([[], [1, -1], [.max, .min]] as [[Int]], "::int8[]")
        try await echo([[0.5, -0.25]] as [[Float]], "::float4[]")
    }

    @Test func `keeps JSON`() async throws {
        try await echo(
            [
                .null, .bool(true), .integer(-3), .number(0.5), .string("\u{1F600}\n\"\\u0041"), .array([]),
                ["a": ["b": [1, nil, "x"]]],
            ] as [JSONValue],
            "::jsonb"
        )
    }

    @Test func `means to the server what it means here`() async throws {
        let connection = try await openConnection()
        let uuid = try #require(PostgresUUID("0190a6b4-0000-7000-8000-00000000000a"))
        let answer = try await connection.run(
            """
            select \(uuid)::text as id, \(["a", nil, "b,c"] as [String?])::text as list, \(1.5)::text as number
            """
        )
        let row = try answer.only()
        #expect(try row.decode("id") == uuid.description)
        #expect(try row.decode("list") == "{a,NULL,\"b,c\"}")
        #expect(try row.decode("number") == "1.5")
    }

    @Test func `names the column that is missing, null or of another type`() async throws {
        let connection = try await openConnection()
        let row = try await connection.run("select 'secret' as word, null::int as hole, 70000 as number").only()
        for attempt in [
            { _ = try row.decode("word", as: Int.self) }, { _ = try row.decode("hole", as: Int.self) },
            { _ = try row.decode("number", as: Int16.self) }, { _ = try row.decode("absent", as: Int.self) },
        ] as [() throws -> Void] {
            let error = #expect(throws: PostgresError.self) { try attempt() }
            #expect(error?.code == .unexpectedValue)
            #expect(["word", "hole", "number", "absent"].contains { error?.place == "column \($0)" })
            #expect(error?.description.contains("secret") == false)
        }
    }
}
