import TestSupport
import Testing

@Suite("A test's database", .tags(.database))
struct TestDatabaseTests {
    @Test(arguments: ServerVersion.serving)
    func `comes from the server of its version with pgvector`(version: ServerVersion) async throws {
        let rows = try await withDatabase(version) { database in
            try await database.run(
                "create extension vector; select current_setting('server_version'), '[3]'::vector::text"
            )
        }
        #expect(rows.first?.first??.hasPrefix("\(version.rawValue).") == true)
        #expect(rows.first?.last == "[3]")
    }

    @Test(.needs(.fifteen))
    func `comes from Debian's server without pgvector`() async throws {
        let error = await #expect(throws: DatabaseTestError.self) {
            try await withDatabase(.fifteen) { try await $0.run("create extension vector") }
        }
        #expect(error?.state == "0A000")
    }

    @Test func `holds what its template holds and nothing of another test`() async throws {
        let template = DatabaseTemplate.empty.with(
            "one_row",
            sql: "create table kept (value int); insert into kept values (7)"
        )
        let counts = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await withDatabase(.eighteen, template) { database in
                        try await database.run("insert into kept values (8); select count(*) from kept").first?.first
                            ?? nil
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: "2", count: 8))
    }

    @Test(.database()) func `is the current one inside the trait's scope`() async throws {
        let database = try #require(TestDatabase.current)
        #expect(try await database.run("select current_database()") == [[database.name]])
    }

    @Test func `is gone afterwards even when a connection was left and the test failed`() async throws {
        var left: PlainConnection?
        var name = ""
        await #expect(throws: DatabaseTestError.self) {
            try await withDatabase { database in
                name = database.name
                left = try await PlainConnection.open(database.url)
                throw DatabaseTestError("on purpose")
            }
        }
        let server = try await TestServer.shared()
        let rows = try await PlainConnection.run(
            "select datname from pg_database",
            on: server.url(database: "postgres")
        )
        #expect(!rows.contains([name]))
        withExtendedLifetime(left) {}
    }
}
