import TestSupport
import Testing

@testable import PostgresClient

/// Plans of a session that are given up now and then.
@Suite("Plans that are made once") struct PlanRenewalTests {
    @Test func `are made anew after a second, and then at pauses that double up to a minute`() {
        let start = ContinuousClock.now
        var renewal = PlanRenewal(at: start)
        let due = (0..<400).filter { renewal.isDue(at: start + .seconds($0)) }
        #expect(due == [1, 3, 7, 15, 31, 63, 123, 183, 243, 303, 363])
    }

    /// The server takes any index for the best one of an empty table, here that of the order that is asked for.
    @Test(.tags(.database), .needs(.eighteen), .database(.eighteen))
    func `are not kept for a table that has grown from nothing`() async throws {
        let connection = try await openConnection()
        try await connection.runScript(
            """
            create table public.things (id int primary key, owner int not null);
            create index things_owner on public.things (owner);
            """
        )
        try await connection.runScript("vacuum analyze public.things")
        try await connection.planOnce(until: LastResort.end)
        let ask: SQLQuery = """
            select string_agg(t.id::text, ',' order by t.id) as ids from public.things t where t.owner = \(7 as Int32)
            """
        // Of the session, as far as it has not been handed over.
        let count: SQLQuery = """
            select s.idx_tup_fetch::int4 as fetched from pg_stat_xact_user_tables s where s.relname = 'things'
            """
        func fetched() async throws -> Int32 {
            try await connection.transaction(until: LastResort.end) { transaction throws(PostgresError) in
                let rows = try await transaction.pipeline([count, ask, count])
                return try rows[2].only().decode("fetched", as: Int32.self) - rows[0].only().decode("fetched")
            }
        }
        #expect(try await fetched() == 0)
        try await connection.runScript("insert into public.things select n, n / 10 from generate_series(1, 20000) n")
        let before = try await fetched()
        try #require(before == 20_000 || before == 10, "\(before) rows: the server plans in a way of its own")
        try await Task.sleep(for: .milliseconds(2_100))
        _ = try await fetched()
        #expect(try await fetched() == 10)
    }

    /// Statements that make room are given up at the same place, and may not come before such a BEGIN either.
    @Test(.tags(.database), .needs(.fifteen), .database(.fifteen))
    func `are given up before no transaction that sees one moment`() async throws {
        let connection = try await openConnection()
        try await connection.planOnce(until: LastResort.end)
        for count in 1...300 {
            // More texts than are kept prepared, so that later calls give one up.
            let values = [SQLQuery](repeating: "\(1 as Int32)", count: count)
            _ = try await connection.transaction(.snapshot, until: LastResort.end) {
                transaction throws(PostgresError) in
                try await transaction.run("select \(fragment: .joined(values, by: ", "))")
            }
        }
        try await Task.sleep(for: .milliseconds(1_100))
        let found = try await connection.transaction(.snapshot, until: LastResort.end) {
            transaction throws(PostgresError) in
            try await transaction.run("select current_setting('transaction_isolation') as level").only()
                .decode("level", as: String.self)
        }
        #expect(found == "repeatable read")
    }
}
