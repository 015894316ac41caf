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
        let shown = try await show(vault, until: deadline)
        let change = try VaultChange(patch, of: shown)
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
                return .refused(
                    VaultStoreError(.invalid, "the milestone \(id) is another vault's; leave its id out for a new one")
                )
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
    init(_ patch: JSONValue, of shown: JSONValue) throws(VaultStoreError) {
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
                after = FixtureDocument.proposingTiers(milestones: Self.recognized(after, among: before))
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
        let new = try NewVault(reading: .object(whole))
        rows = VaultRows(new.vault, original: new.original)
        self.names = names
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

    /// Milestones without ids are those of the vault that say the same, else those of the same type and name where there is
    /// one on each side: what was sent of them is not sent again, and what waits moves with the day.
    private static func recognized(_ given: JSONValue, among known: JSONValue) -> JSONValue {
        guard var items = given.array else { return given }
        let named = Set(items.compactMap { $0["id"]?.string?.lowercased() })
        var left = (known.array ?? []).filter { !named.contains($0["id"]?.string?.lowercased() ?? "") }
        func isNamed(_ item: JSONValue) -> Bool { !(item["id"]?.isNull ?? true) }
        func take(_ place: Int, _ known: Int) {
            guard var object = items[place].object else { return }
            object["id"] = left.remove(at: known)["id"]
            items[place] = .object(object)
        }
        func agree(_ item: JSONValue, _ other: JSONValue, in members: [String]) -> Bool {
            members.allSatisfy { item[$0]?.string == other[$0]?.string }
        }
        for place in items.indices where !isNamed(items[place]) {
            let same = left.firstIndex { agree(items[place], $0, in: ["type", "name", "date", "recurrence"]) }
            if let same { take(place, same) }
        }
        for place in items.indices where !isNamed(items[place]) {
            let members = ["type", "name"]
            let rivals = items.count { !isNamed($0) && agree($0, items[place], in: members) }
            let matches = left.indices.filter { agree(items[place], left[$0], in: members) }
            if rivals == 1, matches.count == 1 { take(place, matches[0]) }
        }
        return .array(items)
    }
}
