package import KnotDomain

/// What was stored with a run and after it: what the run itself cannot have known.
package struct LaterSets: Sendable {
    package let pipelineName: String
    package let pipelineHash: String
    package let inputDigest: String
    private let createdAt: Instant
    private let asOf: Instant
    /// The choices by address and moment; those of one set share the moment of their transaction.
    private let shown: Set<Shown>
    /// Hints that this set or a later one was the first to use.
    private let used: Set<HintID>

    private struct Shown: Hashable {
        let url: String?
        let at: Instant
    }

    fileprivate init(run: Row, shown: Rows, used: Rows) throws(PostgresError) {
        pipelineName = try run.decode("pipeline_name")
        pipelineHash = try run.decode("pipeline_hash")
        inputDigest = try run.decode("input_digest")
        createdAt = try run.decode("created_at")
        asOf = try run.decode("as_of")
        var items: Set<Shown> = []
        for place in 0..<shown.count {
            let row = shown[place]
            items.insert(Shown(url: try row.decode("external_url"), at: try row.decode("created_at")))
        }
        self.shown = items
        var hints: Set<HintID> = []
        for place in 0..<used.count {
            hints.insert(HintID(try used[place].decode("id", as: PostgresUUID.self).description))
        }
        self.used = hints
    }

    /// A vault without these sets: not in its history, their hints not used, and no hint that was noted since.
    package func undone(in vault: Vault) -> Vault {
        let moment = max(createdAt, asOf)
        return vault.with(
            hints: vault.hints.filter { $0.createdAt <= moment }.map { hint in
                guard hint.isUsed, used.contains(hint.id) else { return hint }
                return Hint(
                    id: hint.id,
                    text: hint.text,
                    source: hint.source,
                    createdAt: hint.createdAt,
                    isUsed: false
                )
            },
            history: vault.history.filter { !shown.contains(Shown(url: $0.url, at: $0.at)) }
        )
    }
}

extension SetHistory {
    /// What a stored run and all after it left behind; nil where there is no such run of this vault.
    package func later(
        than run: PostgresUUID,
        of vault: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> LaterSets? {
        try await pool.read(.snapshot, until: deadline) { transaction throws(PostgresError) in
            let results = try await transaction.pipeline(
                [
                    """
                    select pipeline_name, pipeline_hash, input_digest, created_at, as_of
                    from public.recommendation_runs where id = \(run) and vault_id = \(vault)
                    """,
                    """
                    select c.external_url, c.created_at
                    from public.recommendations c
                    join public.recommendation_runs r on r.id = c.run_id
                    join public.recommendation_runs t on t.id = \(run) and t.vault_id = r.vault_id
                    where r.vault_id = \(vault) and (r.created_at, r.id) >= (t.created_at, t.id)
                    """,
                    """
                    select h.id
                    from public.recommendations c
                    join public.recommendation_runs r on r.id = c.run_id
                    join public.recommendation_runs t on t.id = \(run) and t.vault_id = r.vault_id
                    cross join unnest(c.hint_ids) as h (id)
                    where r.vault_id = \(vault)
                    group by h.id
                    having bool_and((r.created_at, r.id) >= (t.created_at, t.id))
                    """,
                ]
            )
            guard let row = results[0].first else { return .success(nil) }
            return .success(try LaterSets(run: row, shown: results[1], used: results[2]))
        }
    }
}
