/// A transaction while it is open: what its body may do.
package struct PostgresTransaction: Sendable {
    let connection: PostgresConnection
    let number: UInt64

    /// Runs one statement inside the transaction.
    package func run(_ query: SQLQuery) async throws(PostgresError) -> Rows {
        try await pipeline([query]).first ?? Rows()
    }

    /// Runs statements inside the transaction in one round trip.
    package func pipeline(_ queries: [SQLQuery]) async throws(PostgresError) -> [Rows] {
        try await connection.pipeline(queries, in: number)
    }

    /// Ends it without keeping anything; the body's value is returned all the same.
    package func rollBack() async throws(PostgresError) {
        try await connection.rollBack(number)
    }
}
