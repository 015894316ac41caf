import TestSupport
import Testing

@testable import PostgresClient

@Suite("A statement's time", .tags(.database), .needs(.fifteen), .database(.fifteen))
struct DeadlineTests {
    @Test func `ends at the caller's deadline, and the connection works on`() async throws {
        let connection = try await openConnection()
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.run("select pg_sleep(1200)", until: .now + .milliseconds(100))
        }
        #expect(error.code == .statementTimeout)
        #expect(error.sqlState == "57014")
        #expect(connection.isUsable)
        #expect(try await connection.run("select 1 as n").only().decode("n", as: Int.self) == 1)
    }

    @Test func `holds for all statements of a pipeline together`() async throws {
        let connection = try await openConnection()
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.pipeline(
                Array(repeating: "select pg_sleep(0.3)", count: 40),
                until: .now + .milliseconds(500)
            )
        }
        // Each of them alone is over before; all of them together would be after twelve seconds.
        #expect(error.code == .statementTimeout)
    }

    @Test func `leaves no limit behind`() async throws {
        let connection = try await openConnection()
        _ = try await connection.run("select 1", until: LastResort.end)
        let row = try await connection.run("select current_setting('statement_timeout') as limit").only()
        #expect(try row.decode("limit") == "0")
    }

    @Test func `that is over sends nothing`() async throws {
        let connection = try await openConnection()
        let error = try await errorOf { () async throws(PostgresError) in
            try await connection.run("create table never (n int)", until: .now - .seconds(1))
        }
        #expect(error.code == .statementTimeout)
        #expect(error.sqlState == nil)
    }

    @Test func `ends when the task is cancelled, and the next statement is not hit`() async throws {
        let connection = try await openConnection()
        let task = Task { () async -> PostgresError? in
            do throws(PostgresError) {
                _ = try await connection.run("select pg_sleep(1200)")
                return nil
            } catch {
                return error
            }
        }
        try await waitUntilBusy(connection)
        task.cancel()
        let error = await task.value
        #expect(error?.code == .cancelled)
        for number in 0..<50 {
            #expect(try await connection.run("select \(number) as n").only().decode("n", as: Int.self) == number)
        }
    }

    @Test func `of a task cancelled before it asks sends nothing`() async throws {
        let connection = try await openConnection()
        let task = Task { () async -> PostgresError? in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            do throws(PostgresError) {
                _ = try await connection.run("select 1")
                return nil
            } catch {
                return error
            }
        }
        #expect(await task.value?.code == .cancelled)
        #expect(connection.isUsable)
    }

    @Test func `runs on twelve connections at once without holding up the shared threads`() async throws {
        var connections: [PostgresConnection] = []
        for _ in 0..<12 { connections.append(try await openConnection()) }
        let holder = try await openConnection()
        _ = try await holder.run("select pg_advisory_lock(7)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for connection in connections {
                group.addTask { _ = try await connection.run("select pg_advisory_lock_shared(7)") }
            }
            // None ends before all wait, so that they would wait for ever if they waited for each other.
            let watcher = try await openConnection()
            try await LastResort.wait {
                try await watcher.run(
                    """
                    select count(*) as n from pg_locks where locktype = 'advisory' and not granted
                        and database = (select oid from pg_database where datname = current_database())
                    """
                ).only().decode("n", as: Int.self) == connections.count
            }
            _ = try await holder.run("select pg_advisory_unlock(7)")
            try await group.waitForAll()
        }
    }

    /// Waits until the server says that the connection's process runs a statement.
    private func waitUntilBusy(_ connection: PostgresConnection) async throws {
        let watcher = try await openConnection()
        try await LastResort.wait {
            try await !watcher.run(
                """
                select 1 as n from pg_stat_activity
                where wait_event = 'PgSleep' and datname = current_database()
                """
            ).isEmpty
        }
    }
}
