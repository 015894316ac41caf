import TestSupport
import Testing

@testable import PostgresClient

/// A connection to the running test's own database.
func openConnection(sourceLocation: SourceLocation = #_sourceLocation) async throws -> PostgresConnection {
    let database = try #require(TestDatabase.current, sourceLocation: sourceLocation)
    return try await PostgresConnection.connect(to: ConnectionTarget(url: database.url), until: LastResort.end)
}

/// What the work threw; a test fails where it threw nothing.
func errorOf<Value>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ work: () async throws(PostgresError) -> Value
) async throws -> PostgresError {
    do throws(PostgresError) {
        _ = try await work()
    } catch {
        return error
    }
    return try #require(nil as PostgresError?, "nothing was thrown", sourceLocation: sourceLocation)
}
