package import JSONDocument
import KnotDomain
package import PostgresClient

/// One vault as a list shows it.
package struct StoredVaultSummary: Sendable, Hashable {
    package let id: PostgresUUID
    package let user: PostgresUUID
    package let partnerName: String
    package let hints: Int
    package let milestones: Int
    package let sets: Int

    package var json: JSONValue {
        [
            "vault_id": .string(id.description), "user_id": .string(user.description),
            "partner_name": .string(partnerName), "milestones": .integer(milestones), "hints": .integer(hints),
            "sets": .integer(sets),
        ]
    }
}

extension VaultKeeper {
    /// The vaults that whoever asks may see, in the order of their ids: those after one of them, at most so many.
    package func list(
        after last: PostgresUUID? = nil,
        limit: Int,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> [StoredVaultSummary] {
        try await pool.read(.snapshot, until: deadline) { transaction throws(PostgresError) in
            let found = try await transaction.pipeline(
                [
                    """
                    select v.id, v.user_id, v.partner_name,
                        (select count(*) from public.hints h where h.vault_id = v.id) as hints,
                        (select count(*) from public.partner_milestones m where m.vault_id = v.id) as milestones,
                        (select count(*) from public.recommendation_runs r where r.vault_id = v.id) as sets
                    from public.partner_vaults v
                    where \(last) is null or v.id > \(last)
                    order by v.id limit \(max(limit, 0))
                    """
                ]
            )
            return .success(
                try (found.last ?? Rows()).map { row throws(PostgresError) in
                    StoredVaultSummary(
                        id: try row.decode("id"),
                        user: try row.decode("user_id"),
                        partnerName: try row.decode("partner_name"),
                        hints: try row.decode("hints"),
                        milestones: try row.decode("milestones"),
                        sets: try row.decode("sets")
                    )
                }
            )
        }
    }

    /// Changes what a document names of a vault and leaves the rest: members as `show` prints them, null to empty one.
    ///
    /// Milestones are told apart by their ids, so that what hangs on them stays; hints and history have verbs of their own.
    package func edit(
        _ vault: PostgresUUID,
        by patch: JSONValue,
        until deadline: ContinuousClock.Instant
    ) async throws(MovingError) -> [String] {
        let shown = try await show(vault, until: deadline)
        let change = try VaultChange(patch, of: shown)
        guard !change.names.isEmpty else { return [] }
        _ = try await pool.move(until: deadline) {
            (transaction: PostgresTransaction) async throws(PostgresError) -> Conclusion<Result<Bool, MovingError>> in
            let found = try await transaction.pipeline(
                ["select v.id from public.partner_vaults v where v.id = \(vault) for update"]
            )
            guard found.last?.isEmpty == false else { return .refused(.noVault) }
            // Written in any case, so that the moment of the row tells of this very change.
            let touch: SQLQuery = "update public.partner_vaults set partner_name = partner_name where id = \(vault)"
            let results = try await transaction.pipeline(
                change.statements(vault: vault) + [touch, Self.moment(of: vault)]
            )
            guard let moment = try results.last?.only().decode("moment", as: String.self) else {
                throw PostgresError(.unexpectedValue, at: "partner_vaults.updated_at")
            }
            return .written(
                true,
                provenBy: "\(fragment: Self.moment(of: vault)) and extract(epoch from v.updated_at)::text = \(moment)"
            )
        }
        return change.names
    }

    private static func moment(of vault: PostgresUUID) -> SQLQuery {
        "select extract(epoch from v.updated_at)::text as moment from public.partner_vaults v where v.id = \(vault)"
    }
}

/// What an edit makes of a vault: the members that differ, checked as the whole vault they become part of.
struct VaultChange: Sendable {
    /// In the vault's own order.
    let names: [String]
    private let rows: VaultRows

    private static let members = [
        "partner_name", "relationship_tenure_months", "cohabitation_status", "location", "timezone", "likes",
        "dislikes",
        "vibes", "budgets", "love_languages", "milestones",
    ]
    private static let fixed = ["id", "user_id", "hints", "history", "learned"]

    /// Takes members of a vault, or a whole fixture and of it the vault; `shown` is the vault as it is.
    init(_ patch: JSONValue, of shown: JSONValue) throws(MovingError) {
        let given = patch["vault"]?.object ?? patch.object
        guard let given, var whole = shown.object else {
            throw MovingError(.invalid, "the change is no JSON object", problems: [])
        }
        var problems: [JSONProblem] = []
        var names: [String] = []
        let known = Set(whole.members.map(\.name) + Self.members)
        for member in given.members where member.name != "schema" {
            let before = whole[member.name] ?? .null
            if JSONWriter.bytes(before, style: .canonical) == JSONWriter.bytes(member.value, style: .canonical) {
                continue
            }
            if Self.fixed.contains(member.name) {
                let message = "is not changed here" + (member.name == "hints" ? ": use hint add, edit and remove" : "")
                problems.append(JSONProblem(path: "$.\(member.name)", message: message))
            } else if !known.contains(member.name) {
                problems.append(JSONProblem(path: "$.\(member.name)", message: "no vault has this member"))
            } else {
                whole[member.name] = member.value
                names.append(member.name)
            }
        }
        guard problems.isEmpty else {
            let count = "\(problems.count) problem\(problems.count == 1 ? "" : "s")"
            throw MovingError(.invalid, "the change has \(count)", problems: problems)
        }
        let new = try NewVault(reading: .object(whole))
        rows = VaultRows(new.vault, original: new.original)
        self.names = names
    }

    /// What is written; only tables whose members differ are touched.
    func statements(vault: PostgresUUID) -> [SQLQuery] {
        let all = rows.insertions(vault: vault, user: PostgresUUID(high: 0, low: 0))
        var statements: [SQLQuery] = []
        func has(_ those: String...) -> Bool { !Set(those).isDisjoint(with: names) }
        if has("timezone") {
            statements.append(
                """
                update public.users set timezone = \(rows.timeZone.string)
                where id = (select v.user_id from public.partner_vaults v where v.id = \(vault))
                """
            )
        }
        if has("partner_name", "relationship_tenure_months", "cohabitation_status", "location") {
            statements.append(
                """
                update public.partner_vaults t
                set partner_name = v.partner_name, relationship_tenure_months = v.relationship_tenure_months,
                    cohabitation_status = v.cohabitation_status, location_city = v.location_city,
                    location_state = v.location_state, location_country = v.location_country
                from pg_catalog.jsonb_to_record(\(.object(rows.vault) as JSONValue)) as v (
                    partner_name text, relationship_tenure_months int4, cohabitation_status text, location_city text,
                    location_state text, location_country text
                )
                where t.id = \(vault)
                """
            )
        }
        if has("likes", "dislikes") {
            statements += ["delete from public.partner_interests where vault_id = \(vault)", all[2]]
        }
        if has("milestones") { statements += milestones(vault) }
        if has("vibes") { statements += ["delete from public.partner_vibes where vault_id = \(vault)", all[4]] }
        if has("budgets") { statements += ["delete from public.partner_budgets where vault_id = \(vault)", all[5]] }
        if has("love_languages") {
            statements += ["delete from public.partner_love_languages where vault_id = \(vault)", all[6]]
        }
        return statements
    }

    /// Rows keep their ids, for sets and reminders hang on them.
    private func milestones(_ vault: PostgresUUID) -> [SQLQuery] {
        let list = JSONValue.array(rows.milestones.map(JSONValue.object))
        let ids = rows.milestones.compactMap { $0["id"]?.string.flatMap { PostgresUUID($0) } }
        return [
            "delete from public.partner_milestones where vault_id = \(vault) and id <> all (\(ids))",
            """
            insert into public.partner_milestones as t (
                vault_id, id, milestone_type, milestone_name, milestone_date, recurrence, budget_tier, created_at
            )
            select \(vault), m.id, m.milestone_type, m.milestone_name, m.milestone_date, m.recurrence, m.budget_tier,
                now() + m.ordinality * interval '1 microsecond'
            from rows from (
                pg_catalog.jsonb_to_recordset(\(list)) as (
                    id uuid, milestone_type text, milestone_name text, milestone_date date, recurrence text,
                    budget_tier text
                )
            ) with ordinality as m
            on conflict (id) do update
            set milestone_type = excluded.milestone_type, milestone_name = excluded.milestone_name,
                milestone_date = excluded.milestone_date, recurrence = excluded.recurrence,
                budget_tier = excluded.budget_tier, created_at = excluded.created_at
            where t.vault_id = excluded.vault_id
            """,
        ]
    }
}
