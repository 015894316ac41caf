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

extension VaultEditor {
    /// The vaults that whoever asks may see, in the order of their ids: those after one of them, at most so many.
    package func list(
        after last: PostgresUUID? = nil,
        limit: Int,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> [StoredVaultSummary] {
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
    /// Milestones are told apart by their ids, or else by what they say, so that what hangs on them stays; hints and history
    /// have verbs of their own.
    package func edit(
        _ vault: PostgresUUID,
        by patch: JSONValue,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> [String] {
        do throws(VaultStoreError) {
            return try await edit(vault, by: patch, naming: .byContent, until: deadline)
        } catch {
            guard error.takenKey == VaultChange.milestoneKey else { throw error }
            return try await edit(vault, by: patch, naming: .byChance, until: deadline)
        }
    }

    private func edit(
        _ vault: PostgresUUID,
        by patch: JSONValue,
        naming: RowNaming,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> [String] {
        let shown = try await show(vault, until: deadline)
        let change = try VaultChange(patch, of: shown, naming)
        guard !change.names.isEmpty else { return [] }
        _ = try await pool.change(until: deadline) {
            (
                transaction: PostgresTransaction
            ) async throws(PostgresError) -> Conclusion<Result<Bool, VaultStoreError>>
            in
            let found = try await transaction.pipeline(
                ["select v.id from public.partner_vaults v where v.id = \(vault) for update"]
            )
            guard found.last?.isEmpty == false else { return .refused(.vaultNotThere) }
            // Written in any case, so that the moment of the row tells of this very change.
            let touch: SQLQuery = "update public.partner_vaults set partner_name = partner_name where id = \(vault)"
            let results = try await transaction.pipeline(
                change.statements(vault: vault) + [touch, change.foreignMilestones(of: vault), Self.moment(of: vault)]
            )
            if let foreign = results[results.count - 2].first {
                let id = try foreign.decode("id", as: PostgresUUID.self)
                let what = "the milestone \(id) is another vault's; leave its id out for a new one"
                return .refused(VaultStoreError(.invalid, what, takenKey: VaultChange.milestoneKey))
            }
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
///
/// What was wrong with its other members before keeps nobody from changing these.
struct VaultChange: Sendable {
    /// In the vault's own order.
    let names: [String]
    private let rows: VaultRows

    private static let members = [
        "partner_name", "relationship_tenure_months", "cohabitation_status", "location", "timezone", "likes",
        "dislikes",
        "vibes", "budgets", "love_languages", "milestones",
    ]
    static let milestoneKey = "partner_milestones_pkey"
    private static let fixed = ["id", "user_id", "hints", "history", "learned"]

    /// Takes members of a vault, or a whole fixture and of it the vault; `shown` is the vault as it is.
    init(_ patch: JSONValue, of shown: JSONValue, _ naming: RowNaming) throws(VaultStoreError) {
        let given = patch["vault"]?.object ?? patch.object
        guard let given, var whole = shown.object else {
            throw VaultStoreError(.invalid, "the change is no JSON object", problems: [])
        }
        var problems: [JSONProblem] = []
        var names: [String] = []
        let known = Set(whole.members.map(\.name) + Self.members)
        for member in given.members where member.name != "schema" {
            let before = whole[member.name] ?? .null
            var after = member.value
            if member.name == "milestones" {
                after = FixtureDocument.proposingTiers(milestones: Milestone.recognized(after, among: before))
            }
            if JSONWriter.bytes(before, style: .canonical) == JSONWriter.bytes(after, style: .canonical) { continue }
            if Self.fixed.contains(member.name) {
                let message = "is not changed here" + (member.name == "hints" ? ": use hint add, edit and remove" : "")
                problems.append(JSONProblem(path: "$.\(member.name)", message: message))
            } else if !known.contains(member.name) {
                problems.append(JSONProblem(path: "$.\(member.name)", message: "no vault has this member"))
            } else {
                whole[member.name] = after
                names.append(member.name)
            }
        }
        guard problems.isEmpty else {
            let count = "\(problems.count) problem\(problems.count == 1 ? "" : "s")"
            throw VaultStoreError(.invalid, "the change has \(count)", problems: problems)
        }
        let new = try Self.read(whole, changed: names, of: shown, naming)
        rows = VaultRows(new.vault, original: new.original)
        self.names = names
    }

    /// Members that are written together, in one row.
    private static let row = ["partner_name", "relationship_tenure_months", "cohabitation_status", "location"]

    private static func read(
        _ whole: JSONObject,
        changed names: [String],
        of shown: JSONValue,
        _ naming: RowNaming
    ) throws(VaultStoreError) -> NewVault {
        let written = names.contains(where: row.contains) ? names + row : names
        func member(_ problem: JSONProblem) -> String {
            String(problem.path.dropFirst("$.".count).prefix { $0 != "." && $0 != "[" })
        }
        let days = shown["milestones"]?.array?.count ?? 0
        let read = Result { () throws(VaultStoreError) in
            try NewVault(reading: .object(whole), naming: naming, keeping: days)
        }
        guard case .failure(let error) = read else { return try read.get() }
        var before: [JSONProblem] = []
        if case .failure(let old) = Result(catching: { () throws(VaultStoreError) in
            try NewVault(reading: shown, naming: naming, keeping: days)
        }) {
            before = old.problems
        }
        let new = error.problems.filter { !before.contains($0) || written.contains(member($0)) }
        let others = Set(error.problems.map(member))
        guard new.isEmpty, !others.isEmpty, others.isSubset(of: members + fixed.dropFirst(2)) else {
            throw VaultStoreError(.invalid, error.detail, problems: new.isEmpty ? error.problems : new)
        }
        var rest = whole
        for name in others { rest[name] = Vault.standIn[name] ?? .null }
        return try NewVault(reading: .object(rest), naming: naming, keeping: days)
    }

    /// What is written.
    func statements(vault: PostgresUUID) -> [SQLQuery] { rows.changes(of: names, vault: vault) }

    /// The milestones that were not written, for their ids are those of other vaults' milestones.
    func foreignMilestones(of vault: PostgresUUID) -> SQLQuery {
        let ids = names.contains("milestones") ? rows.milestoneIDs : []
        return """
            select g.id from pg_catalog.unnest(\(ids)) as g (id)
            where not exists (select 1 from public.partner_milestones m where m.id = g.id and m.vault_id = \(vault))
            order by g.id limit 1
            """
    }
}
