import TestSupport
import Testing

@testable import PostgresClient

@Suite("A pool", .tags(.database), .needs(.fifteen), .database(.fifteen))
struct ConnectionPoolTests {
    private var soon: ContinuousClock.Instant { LastResort.end }

    private func pool(_ limit: Int) throws -> ConnectionPool {
        let database = try #require(TestDatabase.current)
        return ConnectionPool(to: try ConnectionTarget(url: database.url), PoolSettings(limit: limit))
    }

    private func process(_ connection: PostgresConnection) async throws(PostgresError) -> Int {
        try await connection.run("select pg_backend_pid() as id").only().decode("id")
    }

    @Test func `lends the same connection again`() async throws {
        let pool = try pool(2)
        let first = try await pool.withConnection(until: soon) { connection throws(PostgresError) in
            try await process(connection)
        }
        let second = try await pool.withConnection(until: soon) { connection throws(PostgresError) in
            try await process(connection)
        }
        #expect(first == second)
        await pool.close()
        #expect(pool.counts == (0, 0, 0))
    }

    @Test func `never holds more connections than its limit`() async throws {
        let pool = try pool(3)
        let target = pool.target
        let most = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await pool.withConnection(until: LastResort.end) { connection throws(PostgresError) in
                        try await connection.run(
                            """
                            select count(*) as n from pg_stat_activity
                            where datname = current_database() and backend_type = 'client backend'
                            """
                        ).only().decode("n", as: Int.self)
                    }
                }
            }
            return try await group.reduce(0, max)
        }
        #expect(most <= 3, "\(target)")
        #expect(pool.counts.leased == 0)
    }

    @Test func `discards a connection whose server process was ended, and works on`() async throws {
        let pool = try pool(1)
        let admin = try await openConnection()
        let error = try await errorOf { () async throws(PostgresError) in
            try await pool.withConnection(until: soon) { connection throws(PostgresError) in
                let id = try await process(connection)
                _ = try await admin.run("select pg_terminate_backend(\(id)::int)")
                return try await connection.run("select pg_sleep(1200)")
            }
        }
        #expect(error.code == .serverRestarting)
        #expect(error.sqlState == "57P01")
        #expect(pool.counts == (0, 0, 0))
        let id = try await pool.withConnection(until: soon) { connection throws(PostgresError) in
            try await process(connection)
        }
        #expect(id > 0)
    }

    /// A role of the test's own that may have one connection, and its database's address.
    private func withRoleOfOne(_ body: (ConnectionTarget) async throws -> Void) async throws {
        let database = try #require(TestDatabase.current)
        let role = "one_\(database.name)"
        try await database.run("create role \(role) login connection limit 1")
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(ConnectionTarget(url: database.url(user: role))))
        } catch {
            result = .failure(error)
        }
        try await database.run("drop role \(role)")
        try result.get()
    }

    @Test func `waits for a full server only where its settings say so, and not beyond the deadline`() async throws {
        try await withRoleOfOne { target in
            let holder = ConnectionPool(to: target, PoolSettings(limit: 1))
            let hasty = ConnectionPool(to: target, PoolSettings(limit: 1))
            let patient = ConnectionPool(to: target, PoolSettings(limit: 1, waitsForRoom: true))
            let held = try await PostgresConnection.connect(to: target)
            for (pool, deadline) in [(hasty, soon), (patient, .now + .milliseconds(300))] {
                let error = try await errorOf { () async throws(PostgresError) in
                    try await pool.withConnection(until: deadline) { _ throws(PostgresError) in }
                }
                #expect(error.code == .tooManyConnections)
            }
            async let id = patient.withConnection(until: soon) { connection throws(PostgresError) in
                try await process(connection)
            }
            try await LastResort.wait { patient.counts.leased == 1 }
            await held.close()
            #expect(try await id > 0)
            for pool in [holder, hasty, patient] { await pool.close() }
        }
    }

    @Test func `closes what is idle for long, though nobody asks for more`() async throws {
        let database = try #require(TestDatabase.current)
        let pool = ConnectionPool(
            to: try ConnectionTarget(url: database.url),
            PoolSettings(limit: 2, idleTime: .milliseconds(50))
        )
        _ = try await pool.withConnection(until: soon) { connection throws(PostgresError) in
            try await process(connection)
        }
        try await LastResort.wait { pool.counts == (0, 0, 0) }
        await pool.close()
    }

    @Test func `does not lend a connection that was left in a transaction`() async throws {
        let pool = try pool(1)
        try await pool.withConnection(until: soon) { connection throws(PostgresError) in
            try await connection.runScript("begin")
        }
        #expect(pool.counts == (0, 0, 0))
    }

    @Test func `tells who waits too long that all are in use`() async throws {
        let pool = try pool(1)
        let error = try await pool.withConnection(until: soon) { _ throws(PostgresError) in
            do throws(PostgresError) {
                try await pool.withConnection(until: .now + .milliseconds(50)) { _ throws(PostgresError) in }
                return nil as PostgresError?
            } catch {
                return error
            }
        }
        #expect(error?.code == .statementTimeout)
        #expect(pool.counts == (0, 1, 0))
    }

    @Test func `lets a cancelled waiter go at once`() async throws {
        let pool = try pool(1)
        let error = try await pool.withConnection(until: soon) { _ throws(PostgresError) in
            let waiter = Task { () async -> PostgresError? in
                do throws(PostgresError) {
                    try await pool.withConnection(until: LastResort.end) { _ throws(PostgresError) in }
                    return nil
                } catch {
                    return error
                }
            }
            while pool.counts.waiting == 0 { await Task.yield() }
            waiter.cancel()
            return await waiter.value
        }
        #expect(error?.code == .cancelled)
        #expect(pool.counts == (0, 1, 0))
    }

    @Test func `gives a failed opening to the one who asked`() async throws {
        let target = try ConnectionTarget(url: "postgresql:///nowhere?host=/nonexistent-folder")
        let pool = ConnectionPool(to: target, PoolSettings(limit: 1))
        for _ in 0..<3 {
            let error = try await errorOf { () async throws(PostgresError) in
                try await pool.withConnection(until: soon) { _ throws(PostgresError) in }
            }
            #expect(error.code == .connectionRefused)
        }
        #expect(pool.counts == (0, 0, 0))
    }

    @Test func `refuses everybody once it is closed`() async throws {
        let pool = try pool(1)
        await pool.close()
        let error = try await errorOf { () async throws(PostgresError) in
            try await pool.withConnection(until: soon) { _ throws(PostgresError) in }
        }
        #expect(error.code == .poolClosed)
    }

    @Test func `works on at once after the server has restarted, however many connections lay idle`() async throws {
        try await TestServer.withOwn(.fifteen) { server in
            let pool = ConnectionPool(to: try ConnectionTarget(url: server.url()), PoolSettings(limit: 8))
            func useAll() async throws {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            _ = try await pool.withConnection(until: LastResort.end) {
                                connection throws(PostgresError) in
                                try await connection.run("select pg_sleep(0.05)")
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            try await useAll()
            #expect(pool.counts.idle > 5)
            try await server.crash()
            try await useAll()
            await pool.close()
        }
    }

    @Test func `after one connection was lost trusts none that lay idle`() {
        var rules = PoolState(PoolSettings(limit: 8))
        var slots: [PoolState.Slot] = []
        for waiter in 0..<8 {
            guard case (.granted(let grant), _) = rules.acquire(UInt64(waiter), at: .now) else { continue }
            rules.opened(grant.slot, at: .now, chance: 0)
            slots.append(grant.slot)
        }
        for slot in slots.dropFirst() { _ = rules.release(slot, isUsable: true, at: .now) }
        let closed = rules.release(slots[0], isUsable: false, at: .now) + rules.closeIdle()
        #expect(closed.count == 8 && rules.idleCount == 0)
    }
}
