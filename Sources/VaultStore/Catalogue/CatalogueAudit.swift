package import JSONDocument

/// A look at the catalogue's table for items that no search can offer, because they are no candidates.
package struct CatalogueAudit: Sendable {
    /// How many items were looked at: the newest, at most this many.
    package static let mostItems = 2_000

    package let looked: Int
    /// By item and column, in the table's order.
    package let problems: [JSONProblem]

    /// Reads the newest items of everybody's and of all vaults.
    package static func look(
        _ pool: ConnectionPool,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> CatalogueAudit {
        let parts = try await pool.read(
            [CatalogueStatements.newest(limit: mostItems)],
            until: deadline
        )
        var looked = 0
        var problems: [JSONProblem] = []
        for index in 0..<parts[0].count {
            var items = FoundItems()
            // Alone, since ids are unique in one vault's part of the catalogue only.
            _ = try items.add(one: parts[0][index])
            problems += items.problems
            looked += 1
        }
        return CatalogueAudit(looked: looked, problems: problems)
    }
}
