import TestSupport
import Testing

@testable import PostgresClient

@Suite("Connecting", .tags(.database), .needs(.fifteen))
struct ConnectFailureTests {
    private var soon: ContinuousClock.Instant { LastResort.end }

    private func failure(_ url: String, until deadline: ContinuousClock.Instant? = nil) async throws -> PostgresError {
        let target = try ConnectionTarget(url: url)
        return try await errorOf { () async throws(PostgresError) in
            try await PostgresConnection.connect(to: target, until: deadline ?? soon)
        }
    }

    @Test func `where nobody listens is refused`() async throws {
        let free = try LoopbackPort.free()
        for url in ["postgresql://127.0.0.1:\(free)/knot", "postgresql:///knot?host=/nonexistent-folder"] {
            let error = try await failure(url)
            #expect(error.code == .connectionRefused)
            #expect(error.isTransient)
            #expect("\(error)".contains("no database server answers"))
        }
    }

    @Test func `to a name that nobody has is unreachable`() async throws {
        let target = try ConnectionTarget(url: "postgresql://nobody.invalid/knot?sslmode=verify-full")
        let error = try await errorOf { () async throws(PostgresError) in
            try await PostgresConnection.connect(to: target, until: soon)
        }
        #expect(error.code == .unreachable)
    }

    @Test func `to a server that never answers ends at the deadline, or when the task is cancelled`() async throws {
        let silent = try LoopbackPort()
        let url = "postgresql://127.0.0.1:\(silent.number)/knot?connect_timeout=0"
        let error = try await failure(url, until: .now + .milliseconds(100))
        #expect(error.code == .unreachable)
        // The time is told: a short one is more often the reason than a server that is down.
        let told = try #require("\(error)".firstMatch(of: /did not answer within (\d+) ms/)?.output.1)
        #expect((0...100).contains(try #require(Int(told))))
        let target = try ConnectionTarget(url: url)
        let task = Task { () async -> PostgresError? in
            do throws(PostgresError) {
                _ = try await PostgresConnection.connect(to: target)
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
    }

    @Test func `to a database that does not exist says so`() async throws {
        let server = try await TestServer.shared(.fifteen)
        let error = try await failure(server.url(database: "absent"))
        #expect(error.code == .unknownDatabase)
        #expect(error.sqlState == "3D000")
        #expect("\(error)".contains("database absent"))
    }

    @Test func `with a wrong or a missing password says so, and shows neither`() async throws {
        let rules = ["local all knot trust", "local all all scram-sha-256"]
        try await TestServer.withOwn(.fifteen, authentication: rules) { server in
            try await withDatabase(on: server) { database in
                try await database.run("create role ada login password 'right-one'")
                let wrong = try await failure(database.url(user: "ada") + "&password=hunter2")
                #expect(wrong.code == .authenticationFailed)
                #expect(wrong.sqlState == "28P01")
                #expect(!"\(wrong)".contains("hunter2"))
                // The pass file is named, or the machine's own could be found.
                let missing = try await failure(database.url(user: "ada") + "&passfile=/dev/null")
                #expect(missing.code == .authenticationFailed)
                let target = try ConnectionTarget(url: database.url(user: "ada") + "&password=right-one")
                let connection = try await PostgresConnection.connect(to: target, until: soon)
                #expect(connection.isUsable)
                await connection.close()
            }
        }
    }

    @Test func `is cut when the server is killed in the middle of a statement`() async throws {
        try await TestServer.withOwn(.fifteen) { server in
            let target = try ConnectionTarget(url: server.url())
            let connection = try await PostgresConnection.connect(to: target, until: soon)
            async let ended = errorOf { () async throws(PostgresError) in
                try await connection.run("select pg_sleep(1200)")
            }
            let watcher = try await PostgresConnection.connect(to: target, until: soon)
            try await LastResort.wait {
                try await !watcher.run(
                    "select 1 as n from pg_stat_activity where wait_event = 'PgSleep'",
                    until: soon
                ).isEmpty
            }
            try await server.stop()
            let error = try await ended
            #expect([.serverRestarting, .connectionLost].contains(error.code))
            #expect(error.isPoisoning)
            #expect(error.isTransient)
            #expect(!connection.isUsable)
            try await server.start()
            let again = try await PostgresConnection.connect(to: target, until: soon)
            #expect(again.isUsable)
            await again.close()
        }
    }
}
