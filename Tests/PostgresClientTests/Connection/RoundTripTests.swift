import LocalPostgres
import TestSupport
import Testing

@testable import PostgresClient

@Suite("The protocol", .tags(.database), .needs(.fifteen), .database(.fifteen))
struct RoundTripTests {
    @Test func `carries a pipeline in one round trip, first time and later`() async throws {
        let (proxy, connection) = try await proxied()
        // The first statements of all bring a question with them.
        _ = try await connection.run("select 1")
        let queries: [SQLQuery] = (0..<12).map { "select \($0) as n, \(unescaped: "1")" }
        for round in 0..<3 {
            let before = proxy.counts
            let rows = try await connection.pipeline(queries, until: round == 2 ? LastResort.end : nil)
            #expect(rows.count == 12)
            let said = proxy.counts - before
            #expect(said.roundTrips == 1, "round \(round)")
            #expect(said.syncs == 1)
            #expect(said.executions == (round == 2 ? 13 : 12))
        }
    }

    @Test func `prepares a statement once`() async throws {
        let (proxy, connection) = try await proxied()
        for _ in 0..<2 { _ = try await connection.run("select \(1)::int8 as n") }
        let before = proxy.counts
        for number in 0..<5 { _ = try await connection.run("select \(number)::int8 as n") }
        #expect((proxy.counts - before).parses == 0)
        #expect((proxy.counts - before).roundTrips == 5)
    }

    @Test func `carries a transaction with one pipeline in two round trips`() async throws {
        let (proxy, connection) = try await proxied()
        try await connection.runScript("create table t (n int8)")
        let before = proxy.counts
        try await connection.transaction(until: LastResort.end) { transaction throws(PostgresError) in
            _ = try await transaction.pipeline(["insert into t values (\(1))", "insert into t values (\(2))"])
        }
        #expect((proxy.counts - before).roundTrips == 2)
    }

    /// What would come behind a COMMIT in its pipeline could fail, and nobody could tell which of both did.
    @Test func `carries a COMMIT alone, even where plans are to be made anew`() async throws {
        let (proxy, connection) = try await proxied()
        try await connection.planOnce(until: LastResort.end)
        try await connection.runScript("create table t (n int8)")
        let counts = try await connection.transaction(until: LastResort.end) { transaction throws(PostgresError) in
            _ = try await transaction.run("insert into t values (\(1))")
            // A test that is cancelled here fails below.
            try? await Task.sleep(for: .milliseconds(1_100))
            return proxy.counts
        }
        #expect((proxy.counts - counts).executions == 1)
        // The next statement brings them.
        let before = proxy.counts
        _ = try await connection.run("select 1")
        #expect((proxy.counts - before).executions == 3)
    }

    @Test func `brings the cancel on a connection of its own`() async throws {
        let (proxy, connection) = try await proxied()
        // A script carries no limit for the server, so that only the cancel can end it.
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.runScript("select pg_sleep(1200)", until: .now + .milliseconds(500))
        }
        #expect(error.code == .statementTimeout)
        #expect(proxy.counts.cancels == 1)
        #expect(proxy.counts.connections == 2)
        #expect(connection.isUsable)
    }
}

/// A connection to the running test's database through a proxy.
func proxied() async throws -> (proxy: WireProxy, connection: PostgresConnection) {
    let database = try #require(TestDatabase.current)
    let proxy = try WireProxy(to: database.server.running.socketFolder + "/.s.PGSQL.5432")
    let target = try ConnectionTarget(url: proxy.url(database: database.name))
    return (proxy, try await PostgresConnection.connect(to: target, until: LastResort.end))
}
