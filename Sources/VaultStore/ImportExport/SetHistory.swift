package import JSONDocument
package import KnotDomain
package import PostgresClient

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
    ) async throws(VaultStoreError) -> (sets: [StoredSetSummary], problems: [JSONProblem]) {
        let count = min(max(limit, 1), 1_000)
        return try await pool.read(.snapshot, until: deadline) { transaction throws(PostgresError) in
            let results = try await transaction.pipeline(
                [
                    "select v.id from public.partner_vaults v where v.id = \(vault)",
                    "select r.id from public.recommendation_runs r where r.id = \(last) and r.vault_id = \(vault)",
                    Self.query(vault, after: last, count),
                ]
            )
            guard !results[0].isEmpty else { return .failure(.vaultNotThere) }
            if last != nil, results[1].isEmpty {
                return .failure(VaultStoreError(.notThere, "there is no such set of this vault to go on after"))
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
    ) async throws(VaultStoreError) -> (vault: PostgresUUID, text: String)? {
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
            \(fragment: ChoiceOfRun.listing) as choices
        """
}

/// One stored set as a list shows it.
package struct StoredSetSummary: Sendable {
    package let runID: PostgresUUID
    package let createdAt: Instant
    /// The zone of the vault's person; nil where nobody has said it.
    package let timeZone: String?
    package let outcome: String
    package let kind: String
    package let request: String
    package let tier: String
    package let milestone: PostgresUUID?
    package let occurrence: CivilDate?
    package let pipelineName: String
    package let pipelineHash: String
    package let round: Int
    package let supersedes: PostgresUUID?
    package let supersededBy: PostgresUUID?
    /// Position, title, price and so on of each choice, as a list in order.
    package let choices: JSONValue

    init(_ row: Row) throws(PostgresError) {
        runID = try row.decode("id")
        createdAt = try row.decode("created_at")
        timeZone = try row.decode("timezone", as: String?.self).map { BoundaryText.clean($0, limit: TextLimit.name) }
        outcome = try row.decode("outcome")
        kind = try row.decode("kind")
        request = try row.decode("request")
        tier = try row.decode("occasion_type")
        milestone = try row.decode("milestone_id")
        occurrence = try row.decode("occurrence_date")
        pipelineName = try row.decode("pipeline_name")
        pipelineHash = try row.decode("pipeline_hash")
        round = try row.decode("round")
        supersedes = try row.decode("supersedes")
        supersededBy = try row.decode("superseded_by")
        choices = try row.decode("choices")
    }

    package var json: JSONValue {
        [
            "run_id": .string(runID.description), "created_at": .string(createdAt.iso8601), "outcome": .string(outcome),
            "kind": .string(kind), "request": .string(request), "occasion": .string(tier),
            "milestone_id": JSONValue(milestone?.description), "occurrence": JSONValue(occurrence?.description),
            "pipeline": ["name": .string(pipelineName), "hash": .string(pipelineHash)], "round": .integer(round),
            "supersedes": JSONValue(supersedes?.description), "superseded_by": JSONValue(supersededBy?.description),
            "choices": choices,
        ]
    }
}

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
    ) async throws(VaultStoreError) -> StoredSetInFull? {
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
    ) async throws(VaultStoreError) -> LaterSets? {
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
