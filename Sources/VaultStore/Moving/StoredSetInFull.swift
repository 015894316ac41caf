package import JSONDocument

/// One stored set: what a list shows of it, and the result as it was first printed.
package struct StoredSetInFull: Sendable {
    package let summary: StoredSetSummary
    /// A `knot.choice/1` object.
    package let result: JSONValue
}

extension SetHistory {
    /// One set, of one vault where that is said; nil where there is none that may be read.
    package func set(
        _ run: PostgresUUID,
        of vault: PostgresUUID?,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> StoredSetInFull? {
        try await pool.move(.snapshot, until: deadline) { transaction throws(PostgresError) in
            let results = try await transaction.pipeline(
                identity.statements + [
                    """
                    select \(fragment: Self.columns), r.result
                    from public.recommendation_runs r
                    where r.id = \(run) and (\(vault) is null or r.vault_id = \(vault))
                    """
                ]
            )
            guard let row = results.last?.first else { return .success(nil) }
            return .success(
                StoredSetInFull(summary: try StoredSetSummary(row), result: try row.decode("result"))
            )
        }
    }
}
