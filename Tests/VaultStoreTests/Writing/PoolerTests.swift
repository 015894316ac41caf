import InventedSets
import KnotDomain
import PostgresClient
import Recommendation
import TestSupport
import Testing

@testable import VaultStore

@Suite(
    "Behind a pooler in transaction mode",
    .tags(.database),
    .enabled("pgbouncer is not installed") { Pooler.binary != nil }
)
struct PoolerTests {
    private static var limit: ContinuousClock.Instant { LastResort.end }

    @Test func `connections that share two sessions each find their statements`() async throws {
        try await withDatabase { database in
            let pooler = try await Pooler.start(before: database.server)
            let target = try ConnectionTarget(url: pooler.url(database: database.name))
            let pool = ConnectionPool(to: target, PoolSettings(limit: 8, plansOnce: true))
            try await withThrowingTaskGroup(of: Int64.self) { group in
                for number in Int64(0)..<80 {
                    group.addTask {
                        try await pool.withConnection(until: Self.limit) { connection throws(PostgresError) in
                            _ = try await connection.run("select \(number % 5) as n", until: Self.limit)
                            return try await connection.run("select \(number) as n", until: Self.limit).only().decode(
                                "n"
                            )
                        }
                    }
                }
                var found: Set<Int64> = []
                for try await number in group { found.insert(number) }
                #expect(found == Set(0..<80))
            }
            await pool.close()
        }
    }

    @Test func `nothing that was set is left behind in a session, and nothing is prepared there`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let pooler = try await Pooler.start(before: database.server, sessions: 1)
            let world = try await StoredWorld.make(database)
            let target = try ConnectionTarget(url: pooler.url(database: database.name))
            let pool = ConnectionPool(to: target, PoolSettings(limit: 4, plansOnce: true))
            let settings = """
                select string_agg(name || '=' || setting, ',' order by name) from pg_settings
                where name in ('enable_seqscan', 'plan_cache_mode', 'default_toast_compression', 'statement_timeout',
                    'idle_in_transaction_session_timeout', 'lock_timeout', 'search_path', 'role')
                """
            let url = pooler.url(database: database.name)
            let before = try await PlainConnection.run(settings, on: url)
            let record = try world.record()
            let persons = ConnectionPool(
                to: target,
                PoolSettings(limit: 1, plansOnce: true),
                as: .person(world.brief.vault.userID)
            )
            _ = try await ChoiceStore(persons).store(record, until: LastResort.end)
            await persons.close()
            _ = try await ChoiceStore(pool).store(record, until: LastResort.end)
            _ = try await PostgresVaultSource(pool, embeddings: .all).load(world.brief.vault.id)
            #expect(try await PlainConnection.run(settings, on: url) == before)
            #expect(try await PlainConnection.run("select count(*) from pg_prepared_statements", on: url) == [["0"]])
            await pool.close()
        }
    }

    @Test func `a connection to the server itself prepares its statements, and one through a pooler does not`()
        async throws
    {
        try await withDatabase { database in
            let pooler = try await Pooler.start(before: database.server)
            for (url, count) in [(database.url, 2), (pooler.url(database: database.name), 0)] {
                let connection = try await PostgresConnection.connect(to: ConnectionTarget(url: url), until: Self.limit)
                _ = try await connection.run("select \(1)::int8 as n")
                _ = try await connection.run("select \(1)::int8 as n")
                let prepared = try await connection.run("select count(*) as n from pg_prepared_statements")
                #expect(try prepared.only().decode("n", as: Int.self) == count)
                await connection.close()
            }
        }
    }

    @Test func `a database that is not there is named as such, though the pooler calls it a broken protocol`()
        async throws
    {
        let pooler = try await Pooler.start(before: TestServer.shared())
        let target = try ConnectionTarget(url: pooler.url(database: "nobody_made_this"))
        let error = await #expect(throws: PostgresError.self) {
            let connection = try await PostgresConnection.connect(to: target, until: Self.limit)
            _ = try await connection.run("select 1 as n", until: Self.limit)
        }
        #expect(error?.code == .unknownDatabase)
    }

    @Test func `a server that went away behind the pooler is unreachable and may be asked again`() async throws {
        try await TestServer.withOwn { server in
            let pooler = try await Pooler.start(before: server)
            try await server.stop()
            let error = await #expect(throws: PostgresError.self) {
                let target = try ConnectionTarget(url: pooler.url(database: "another"))
                let connection = try await PostgresConnection.connect(to: target, until: .now + .seconds(40))
                _ = try await connection.run("select 1 as n", until: .now + .seconds(40))
            }
            #expect(error?.isTransient == true, "\(String(describing: error))")
        }
    }
}
