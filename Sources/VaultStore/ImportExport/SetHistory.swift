package import JSONDocument

/// `history`: the stored sets of a vault, newest first, a page at a time.
package struct SetHistory: Sendable {
    let pool: ConnectionPool

    package init(_ pool: ConnectionPool) {
        self.pool = pool
    }

    /// The sets after one of them, which is the last of the page before; nil begins with the newest.
    ///
    /// A page that is not full is the last. Rows that cannot be read are named beside the others.
    package func page(
        of vault: PostgresUUID,
        after last: PostgresUUID? = nil,
        limit: Int,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> (sets: [StoredSetSummary], problems: [JSONProblem]) {
        let count = min(max(limit, 1), 1_000)
        return try await pool.read(.snapshot, until: deadline) { transaction throws(PostgresError) in
            let results = try await transaction.pipeline(
                [
                    "select v.id from public.partner_vaults v where v.id = \(vault)",
                    "select r.id from public.recommendation_runs r where r.id = \(last) and r.vault_id = \(vault)",
                    Self.query(vault, after: last, count),
                ]
            )
            guard !results[0].isEmpty else { return .failure(.noVault) }
            if last != nil, results[1].isEmpty {
                return .failure(MovingError(.notThere, "there is no such set of this vault to go on after"))
            }
            let rows = results[2]
            var sets: [StoredSetSummary] = []
            var problems: [JSONProblem] = []
            for index in 0..<rows.count {
                do throws(PostgresError) {
                    sets.append(try StoredSetSummary(rows[index]))
                } catch {
                    problems.append(JSONProblem(unreadable: rows[index], of: "recommendation_runs", error))
                }
            }
            return .success((sets, problems))
        }
    }

    /// A stored set's result as it was first printed, and the vault its row is of; nil where there is no such run.
    package func result(
        of run: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> (vault: PostgresUUID, text: String)? {
        try await pool.read(.readOnly, until: deadline) { transaction throws(PostgresError) in
            let rows = try await transaction.run(
                "select r.vault_id, r.result from public.recommendation_runs r where r.id = \(run)"
            )
            guard let row = rows.first else { return .success(nil) }
            return .success((vault: try row.decode("vault_id"), text: try row.decode("result")))
        }
    }

    private static func query(_ vault: PostgresUUID, after last: PostgresUUID?, _ limit: Int) -> SQLQuery {
        """
        select \(fragment: columns)
        from public.recommendation_runs r
        where r.vault_id = \(vault) and (
            \(last) is null
            or (r.created_at, r.id) < (
                select l.created_at, l.id from public.recommendation_runs l where l.id = \(last)
            )
        )
        order by r.created_at desc, r.id desc
        limit \(limit)
        """
    }

    /// What a summary is made of, of the run `r`.
    static let columns: SQLQuery = """
        r.id, r.created_at, r.outcome, r.kind, r.request, r.occasion_type, r.milestone_id, r.occurrence_date,
            r.pipeline_name, r.pipeline_hash, r.round, r.supersedes,
            (
                select u.timezone from public.users u
                join public.partner_vaults v on v.user_id = u.id where v.id = r.vault_id
            ) as timezone,
            (
                select s.id from public.recommendation_runs s
                where s.supersedes = r.id order by s.created_at desc, s.id desc limit 1
            ) as superseded_by,
            (
                select coalesce(
                    jsonb_agg(
                        jsonb_build_object(
                            'position', c.position, 'id', c.id, 'candidate_id', c.candidate_id, 'title', c.title,
                            'type', c.recommendation_type, 'price_cents', c.price_cents, 'currency', c.currency,
                            'merchant', c.merchant_name, 'url', c.external_url, 'reason', c.reason
                        ) order by c.position
                    ),
                    '[]'
                )
                from public.recommendations c where c.run_id = r.id
            ) as choices
        """
}
