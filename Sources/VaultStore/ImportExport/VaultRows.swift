import Digest
import JSONDocument
import KnotDomain
import PostgresClient

/// How rows are named that a document gives no ids.
enum RowNaming: Sendable {
    /// Names by content: a document makes the same rows whenever it is stored.
    case byContent
    /// Names by chance, where another vault has a row under the name of a content.
    case byChance

    func id(_ name: PostgresUUID) -> PostgresUUID { self == .byContent ? name : .random() }
}

/// One vault as the rows of its tables, each an object whose members are named like a document's.
///
/// Texts are as they were written, without what no column can hold: what is to be cleaned, the reader cleans.
struct VaultRows: Sendable {
    private var vault: JSONObject
    private(set) var timeZone: JSONValue
    private var interests: [JSONObject] = []
    private var milestones: [JSONObject] = []
    private var vibes: [JSONObject] = []
    private var budgets: [JSONObject] = []
    private var loveLanguages: [JSONObject] = []
    private var hints: [JSONObject] = []
    private var history: [JSONObject] = []
    private var feedback: [JSONObject] = []
    /// What was learned, as a fixture's vault says it; null where nothing was.
    private var learned: JSONValue = .null

    /// Rows of a vault that the domain has accepted, with the texts of the very document it was read from.
    init(_ vault: Vault, original: JSONValue, named naming: RowNaming = .byContent) {
        let texts = original.withoutZeros
        let place = texts["location"]
        var facts = JSONObject(vault.json.object?.members.filter { !Self.lists.contains($0.name) } ?? [])
        facts["id"] = .string(vault.id.text.lowercased())
        facts["user_id"] = .string(vault.userID.text.lowercased())
        facts["partner_name"] = texts["partner_name"] ?? .null
        facts["city"] = Self.text(place?["city"], vault.location?.city)
        facts["state"] = Self.text(place?["state"], vault.location?.state)
        facts["country"] = JSONValue(vault.location?.country)
        self.vault = facts
        timeZone = texts["timezone"] ?? .null
        for (type, name) in [("like", "likes"), ("dislike", "dislikes")] {
            interests += (texts[name]?.array ?? []).map { JSONObject([("type", .string(type)), ("name", $0)]) }
        }
        vibes = vault.vibes.map { JSONObject([("tag", .string($0.rawValue))]) }
        for tier in OccasionTier.allCases {
            guard var budget = vault.budgets[tier]?.json.object else { continue }
            budget["tier"] = .string(tier.rawValue)
            budgets.append(budget)
        }
        loveLanguages = [(1, vault.loveLanguages.primary), (2, vault.loveLanguages.secondary)].map {
            JSONObject([("language", .string($1.rawValue)), ("priority", .integer($0))])
        }
        milestones = Self.written(vault.milestones.map(\.json), texts["milestones"], ["name"])
        hints = Self.written(vault.hints.map(\.json), texts["hints"], ["text"])
        learned = vault.learned?.json ?? .null
        for (place, (item, raw)) in zip(vault.history, texts["history"]?.array ?? []).enumerated() {
            let name = PostgresUUID(of: "history:\(vault.id.text.lowercased()):\(place)")
            let id = JSONValue.string(naming.id(name).description)
            var row = item.json.object ?? JSONObject()
            row["id"] = id
            row["feedback"] = nil
            row["title"] = raw["title"] ?? .null
            row["merchant"] = Self.text(raw["merchant"], item.merchant)
            history.append(row)
            for (feedback, said) in zip(item.feedback, raw["feedback"]?.array ?? []) {
                var row = feedback.json.object ?? JSONObject()
                row["recommendation_id"] = id
                row["reason"] = Self.text(said["reason"], feedback.reason)
                row["at"] = .string(item.at.iso8601)
                self.feedback.append(row)
            }
        }
    }

    private static let lists = [
        "location", "timezone", "likes", "dislikes", "vibes", "budgets", "love_languages", "milestones", "hints",
        "history", "learned",
    ]

    /// Rows with ids, and with some texts as they were written.
    private static func written(_ rows: [JSONValue], _ raws: JSONValue?, _ texts: [String]) -> [JSONObject] {
        zip(rows, raws?.array ?? []).map { row, raw in
            var object = row.object ?? JSONObject()
            object["id"] = JSONValue(object["id"]?.string?.lowercased())
            for name in texts { object[name] = raw[name] ?? .null }
            return object
        }
    }

    /// A blank text is none.
    private static func text(_ written: JSONValue?, _ cleaned: String?) -> JSONValue {
        cleaned == nil ? .null : written ?? .null
    }
}

extension VaultRows {
    /// The results of `VaultStatements.document`: the rows as they stand, whatever the domain's rules say of them; nil where there is no such vault.
    init?(_ results: [Rows], _ problems: JSONReader.Problems) throws(PostgresError) {
        guard let row = results[0].first else { return nil }
        func objects(_ part: VaultStatements.Part, _ table: VaultTable) throws(PostgresError) -> [JSONObject] {
            let rows = results[part.rawValue]
            var objects: [JSONObject] = []
            for index in 0..<rows.count { objects.append(try table.object(rows, index, problems)) }
            return objects
        }
        vault = try objects(.vault, .vault)[0]
        timeZone = JSONValue(try row.decode("timezone", as: String?.self))
        interests = try objects(.interests, .interests)
        milestones = try objects(.milestones, .milestones)
        vibes = try objects(.vibes, .vibes)
        budgets = try objects(.budgets, .budgets)
        loveLanguages = try objects(.loveLanguages, .loveLanguages)
        hints = try objects(.hints, .hints)
        history = try objects(.history, .history)
        feedback = try objects(.feedback, .feedback)
        guard let row = results[VaultStatements.Part.weights.rawValue].first else { return }
        do throws(PostgresError) {
            learned = try Self.learned(row)
        } catch {
            problems.note(JSONProblem(unreadable: row, of: "learned_weights", error))
        }
    }

    /// Weights that say nothing are none, unless they came that way.
    private static func learned(_ row: Row) throws(PostgresError) -> JSONValue {
        let weights = try row.decode("weights", as: JSONValue.self)
        let isImported = try row.decode("is_imported", as: Bool.self)
        guard isImported || weights.object?.isEmpty == false else { return .null }
        return [
            "as_of": .string(try row.decode("as_of", as: Instant.self).iso8601),
            "half_life_days": .number(try row.decode("half_life_days", as: Double.self)),
            "signals": .integer(try row.decode("signal_count", as: Int.self)), "weights": weights,
        ]
    }

    /// The rows as a fixture's `vault`, lists in the layout's order.
    func document(_ layout: VaultLayout) -> JSONValue {
        let place = JSONObject(["city", "state", "country"].map { ($0, vault[$0] ?? .null) })
        func named(_ type: String) -> JSONValue {
            .array(interests.filter { $0["type"]?.string == type }.compactMap { $0["name"] })
        }
        func language(_ priority: Int) -> JSONValue {
            loveLanguages.first { $0["priority"]?.int == priority }?["language"] ?? .null
        }
        let given = Dictionary(grouping: feedback) { $0["recommendation_id"]?.string ?? "" }
        let items = history.map { item in
            var item = item
            let said = given[item["id"]?.string ?? ""] ?? []
            item["feedback"] = .array(said.map { .object($0.keeping(["action", "rating", "reason"])) })
            return item
        }
        func list(_ rows: [JSONObject], as list: VaultLayout.List? = nil, _ names: [String]) -> JSONValue {
            let ordered = list.map { layout.arrange(rows, as: $0) { $0["id"]?.string ?? "" } } ?? rows
            return .array(ordered.map { .object($0.keeping(names)) })
        }
        let tiers = OccasionTier.allCases.map(\.rawValue).compactMap { tier in
            budgets.first { $0["tier"]?.string == tier }.map { budget in
                (tier, JSONValue.object(budget.keeping(["min_cents", "max_cents", "currency"])))
            }
        }
        var document = vault.keeping(
            ["id", "user_id", "partner_name", "relationship_tenure_months", "cohabitation_status"]
        )
        document["location"] = place.members.allSatisfy(\.value.isNull) ? .null : .object(place)
        document["timezone"] = timeZone
        document["likes"] = named("like")
        document["dislikes"] = named("dislike")
        document["vibes"] = .array(vibes.compactMap { $0["tag"] })
        document["budgets"] = .object(JSONObject(tiers))
        document["love_languages"] = ["primary": language(1), "secondary": language(2)]
        document["milestones"] = list(milestones, ["id", "type", "name", "date", "recurrence", "budget_tier"])
        document["hints"] = list(hints, as: .hints, ["id", "text", "source", "created_at", "is_used"])
        document["history"] = list(
            items,
            as: .history,
            ["title", "type", "merchant", "url", "price_cents", "at", "feedback"]
        )
        if !learned.isNull { document["learned"] = learned }
        return .object(document)
    }

    /// The order of lists where it is not the order of their moments, as `vault_imports.layout` keeps it.
    var layout: VaultLayout {
        var orders: [VaultLayout.List: [String]] = [:]
        for (list, rows, moment) in [(VaultLayout.List.hints, hints, "created_at"), (.history, history, "at")] {
            let wanted = rows.compactMap { $0["id"]?.string }
            let natural = zip(wanted, rows)
                .map { (moment: Self.moment($1, moment), id: $0) }
                .sorted { ($0.moment, $0.id) < ($1.moment, $1.id) }
            if natural.map(\.id) != wanted { orders[list] = wanted }
        }
        return VaultLayout(orders: orders)
    }

    private static func moment(_ row: JSONObject, _ name: String) -> Int64 {
        row[name]?.string.flatMap(Instant.init(iso8601:))?.millisecondsSinceEpoch ?? 0
    }
}

extension VaultRows {
    /// Inserts everything but the person; rows of one list keep their order by moments a microsecond apart.
    func insertions(vault id: PostgresUUID, user: PostgresUUID) -> [SQLQuery] {
        [
            "update public.users set timezone = \(timeZone.string) where id = \(user)",
            VaultTable.vault.insertion(vault),
        ] + lists.map { $0.table.insertion($0.rows, of: id, $0.form) } + [
            VaultTable.milestones.insertion(milestones, of: id, .namedInOrder),
            VaultTable.hints.insertion(hints, of: id, .named), VaultTable.history.insertion(history, of: id, .named),
            """
            insert into public.recommendation_feedback (
                user_id, recommendation_id, action, rating, feedback_text, created_at
            )
            select \(user), f.recommendation_id, f.action, f.rating, f.reason,
                f.at + f.ordinality * interval '1 microsecond'
            from rows from (
                pg_catalog.jsonb_to_recordset(\(.array(feedback.map(JSONValue.object)) as JSONValue)) as (
                    recommendation_id uuid, action text, rating int4, reason text, at timestamptz
                )
            ) with ordinality as f
            """,
        ]
    }

    /// The lists without ids of their own, with the members of a document that they are made of.
    private var lists: [(members: Set<String>, table: VaultTable, rows: [JSONObject], form: RowForm)] {
        [
            (["likes", "dislikes"], .interests, interests, .inOrder), (["vibes"], .vibes, vibes, .inOrder),
            (["budgets"], .budgets, budgets, .plain), (["love_languages"], .loveLanguages, loveLanguages, .plain),
        ]
    }

    var milestoneIDs: [PostgresUUID] { milestones.compactMap { $0["id"]?.string.flatMap { PostgresUUID($0) } } }

    /// What gives a vault other members; only tables whose members differ are touched.
    func changes(of names: [String], vault id: PostgresUUID) -> [SQLQuery] {
        func has(_ those: String...) -> Bool { !Set(those).isDisjoint(with: names) }
        var statements: [SQLQuery] = []
        if has("timezone") {
            statements.append(
                """
                update public.users set timezone = \(timeZone.string)
                where id = (select v.user_id from public.partner_vaults v where v.id = \(id))
                """
            )
        }
        if has("partner_name", "relationship_tenure_months", "cohabitation_status", "location") {
            statements.append(VaultTable.vault.update(vault, id: id))
        }
        for list in lists where !list.members.isDisjoint(with: names) {
            statements.append("delete from \(fragment: list.table.sql) where vault_id = \(id)")
            statements.append(list.table.insertion(list.rows, of: id, list.form))
        }
        if has("milestones") {
            // Rows keep their ids, for sets and reminders hang on them.
            let gone: SQLQuery = "vault_id = \(id) and id <> all (\(milestoneIDs))"
            statements.append("delete from public.partner_milestones where \(fragment: gone)")
            statements.append(VaultTable.milestones.insertion(milestones, of: id, .replacing))
        }
        return statements
    }
}

extension JSONObject {
    fileprivate init(_ members: [(String, JSONValue)]) {
        self.init(members.map { Member(name: $0.0, value: $0.1) })
    }

    /// Only those members, in that order, null where there is none.
    fileprivate func keeping(_ names: [String]) -> JSONObject {
        JSONObject(names.map { ($0, self[$0] ?? .null) })
    }
}
