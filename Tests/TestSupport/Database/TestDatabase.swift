/// A database of one test's own, dropped when the test ends.
package struct TestDatabase: Sendable {
    package let name: String
    package let server: TestServer

    /// The database of the running test, inside the scope of the trait `.database(…)`.
    @TaskLocal package static var current: TestDatabase?

    /// A connection URL for libpq as the superuser, over the private socket.
    package var url: String { server.url(database: name) }

    /// The URL for another role, which the test has made.
    package func url(user: String) -> String { server.url(database: name, user: user) }

    /// Runs statements on a connection of their own and returns the last one's rows as text.
    @discardableResult
    package func run(_ sql: String) async throws -> [[String?]] {
        try await PlainConnection.run(sql, on: url)
    }

    static func make(_ template: DatabaseTemplate, on server: TestServer) async throws -> TestDatabase {
        let name = try await server.admin.make(template) { server.url(database: $0) }
        return TestDatabase(name: name, server: server)
    }
}

/// Gives the body a fresh database with what the template holds, and drops it afterwards.
@discardableResult
package func withDatabase<Value: Sendable>(
    _ version: ServerVersion = .eighteen,
    _ template: DatabaseTemplate = .empty,
    _ body: (TestDatabase) async throws -> Value
) async throws -> Value {
    try await withDatabase(on: TestServer.shared(version), template, body)
}

/// The same on a server of the test's own.
@discardableResult
package func withDatabase<Value: Sendable>(
    on server: TestServer,
    _ template: DatabaseTemplate = .empty,
    _ body: (TestDatabase) async throws -> Value
) async throws -> Value {
    let database = try await TestDatabase.make(template, on: server)
    let result: Result<Value, any Error>
    do { result = .success(try await body(database)) } catch { result = .failure(error) }
    try await server.admin.drop(database.name)
    return try result.get()
}
