import KnotDomain
import PostgresClient
import TestSupport
import Testing
import VaultStore

/// Values of the domain go to a server and come back; what the server prints of them is compared as well.
@Suite("A moment's and a day's binary form", .tags(.database), .needs(.fifteen), .database(.fifteen))
struct DomainBindingTests {
    private static let seed: UInt64 = 20_260_315

    private func connect() async throws -> PostgresConnection {
        let database = try #require(TestDatabase.current)
        return try await PostgresConnection.connect(to: ConnectionTarget(url: database.url), until: LastResort.end)
    }

    private func echo<Value: SQLBindable & SQLReadable & Equatable>(
        _ cast: StaticString,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ make: (inout SeededRandom) -> Value
    ) async throws {
        var random = SeededRandom(seed: Self.seed)
        let values = (0..<60).map { _ in make(&random) }
        let queries = values.map {
            SQLQuery("select \($0)\(unescaped: cast) as value, null\(unescaped: cast) as nothing")
        }
        for (value, answer) in zip(values, try await connect().pipeline(queries)) {
            let row = try answer.only()
            let back = try row.decode("value", as: Value.self)
            #expect(back == value, "seed \(Self.seed)", sourceLocation: sourceLocation)
            let nothing = try row.decode("nothing", as: Value?.self)
            #expect(nothing == nil, sourceLocation: sourceLocation)
        }
    }

    @Test func `keeps moments to the millisecond and days`() async throws {
        let bounds: ClosedRange<Int64> = -62_000_000_000_000...253_000_000_000_000
        try await echo("::timestamptz") { Instant(millisecondsSinceEpoch: .random(in: bounds, using: &$0)) }
        try await echo("::date") { CivilDate(daysSinceEpoch: .random(in: -700_000...2_000_000, using: &$0)) }
    }

    @Test func `means to the server what it means here`() async throws {
        let date = try #require(CivilDate(year: 2026, month: 3, day: 15))
        let instant = try #require(Instant(iso8601: "1999-12-31T23:59:59.999Z"))
        let answer = try await connect().run(
            "select \(date)::text as day, (\(instant) at time zone 'UTC')::text as moment"
        )
        let row = try answer.only()
        #expect(try row.decode("day") == "2026-03-15")
        #expect(try row.decode("moment") == "1999-12-31 23:59:59.999")
    }

    @Test(arguments: ["'infinity'::timestamptz", "'-infinity'::timestamptz"] as [StaticString])
    func `refuses a moment without an end`(sql: StaticString) async throws {
        let row = try await connect().run("select \(unescaped: sql) as at").only()
        let error = #expect(throws: PostgresError.self) { try row.decode("at", as: Instant.self) }
        #expect(error?.code == .unexpectedValue)
        #expect(error?.description.contains("column at") == true)
    }
}
