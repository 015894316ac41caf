/// One stored set: what a list shows of it, and the result as it was first printed.
package struct StoredSetInFull: Sendable {
    package let summary: StoredSetSummary
    package let vault: PostgresUUID
    /// The text of a `knot.choice/1` object.
    package let result: String
}

extension SetHistory {
    /// One set, of one vault where that is said; nil where there is none that may be read.
    package func set(
        _ run: PostgresUUID,
        of vault: PostgresUUID?,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> StoredSetInFull? {
        try await pool.read(.snapshot, until: deadline) { transaction throws(PostgresError) in
            let rows = try await transaction.run(
                """
                select \(fragment: Self.columns), r.vault_id, r.result
                from public.recommendation_runs r
                where r.id = \(run) and (\(vault) is null or r.vault_id = \(vault))
                """
            )
            guard let row = rows.first else { return .success(nil) }
            return .success(
                StoredSetInFull(
                    summary: try StoredSetSummary(row),
                    vault: try row.decode("vault_id"),
                    result: try row.decode("result")
                )
            )
        }
    }
}
