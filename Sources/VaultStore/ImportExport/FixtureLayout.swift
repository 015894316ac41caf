import JSONDocument
import KnotDomain
import PostgresClient

/// A whole fixture: its rows on one side, and beside them what only the file said.
struct FixtureLayout {
    /// `$.vault`, the members beside it, and the order of lists.
    let layout: JSONValue
    let extra: JSONValue

    init(_ document: FixtureDocument, _ rows: VaultRows) {
        let ids = KeyedVault.ids(rows)
        var original = document.original.object ?? JSONObject()
        let base = Self.tree(
            FixtureFacts(document),
            candidates: document.candidates.map(\.raw),
            vault: KeyedVault(rows).tree
        )
        original["vault"] = .object(KeyedVault(original["vault"] ?? .null, ids: ids).tree)
        if document.duplicates.isEmpty == false {
            original["candidates"] = .array(document.candidates.map(\.raw))
        }
        let difference = DocumentDifference(of: original, against: base)
        var layout = difference.layout.object ?? JSONObject()
        let order = Self.order(rows, ids)
        if !order.isEmpty { layout["order"] = .object(order) }
        self.layout = .object(layout)
        var extra = difference.extra.object ?? JSONObject()
        if !document.duplicates.isEmpty {
            extra["duplicates"] = .array(document.duplicates.map { ["at": .integer($0.place), "item": $0.raw] })
        }
        self.extra = .object(extra)
    }

    /// The fixture again.
    static func document(
        _ rows: VaultRows,
        _ facts: FixtureFacts,
        candidates: [JSONValue]
    ) -> JSONValue {
        let vault = KeyedVault(rows)
        let difference = DocumentDifference(layout: facts.layout, extra: Self.withoutLearned(facts.extra))
        var document = difference.applied(
            to: tree(facts, candidates: candidates, vault: vault.tree),
            isSpelling: isSpelling
        )
        let tree = document["vault"]?.object ?? JSONObject()
        document["vault"] = KeyedVault.document(tree, order: vault.order, wanted: facts.layout["order"] ?? .null)
        var items = candidates
        for duplicate in facts.extra["duplicates"]?.array ?? [] {
            guard let place = duplicate["at"]?.int, let item = duplicate["item"] else { continue }
            items.insert(item, at: min(max(place, 0), items.count))
        }
        if items.count > candidates.count { document["candidates"] = .array(items) }
        return .object(document)
    }

    /// What was learned has a row now; an import by an earlier program kept it as a member that no column knows.
    private static func withoutLearned(_ extra: JSONValue) -> JSONValue {
        guard var root = extra.object, var below = root["in"]?.object, var vault = below["vault"]?.object,
            var values = vault["values"]?.object, values["learned"] != nil
        else { return extra }
        values["learned"] = nil
        vault["values"] = .object(values)
        below["vault"] = .object(vault)
        root["in"] = .object(below)
        return .object(root)
    }

    private static func tree(_ facts: FixtureFacts, candidates: [JSONValue], vault: JSONObject) -> JSONObject {
        JSONObject([
            .init(name: "schema", value: "knot.fixture/1"), .init(name: "name", value: .string(facts.name)),
            .init(name: "story", value: JSONValue(facts.story)),
            .init(name: "as_of", value: JSONValue(facts.asOf?.iso8601)), .init(name: "request", value: facts.request),
            .init(name: "vault", value: .object(vault)), .init(name: "candidates", value: .array(candidates)),
            .init(name: "judgments", value: facts.judgments),
        ])
    }

    /// The order of lists where it is not the order of their moments.
    private static func order(_ rows: VaultRows, _ ids: [String: [String]]) -> JSONObject {
        var order = JSONObject()
        for (name, list) in [("hints", rows.hints), ("history", rows.history)] {
            let wanted = ids[name] ?? []
            let natural = zip(wanted, list)
                .sorted { left, right in
                    let (one, other) = (moment(left.1), moment(right.1))
                    return one == other ? left.0 < right.0 : one < other
                }
            if natural.map(\.0) != wanted { order[name] = JSONValue(wanted) }
        }
        return order
    }

    private static func moment(_ row: JSONObject) -> Int64 {
        row["created_at"]?.string.flatMap(Instant.init(iso8601:))?.millisecondsSinceEpoch ?? 0
    }

    /// True while a column still has the value that a spelling was of.
    private static func isSpelling(_ name: String, _ spelled: JSONValue, _ column: JSONValue) -> Bool {
        guard let text = spelled.string, let value = column.string else {
            return isEmpty(spelled) && isEmpty(column)
        }
        if let one = Instant(iso8601: text), let other = Instant(iso8601: value) { return one == other }
        return text.lowercased() == value.lowercased() || BoundaryText.clean(text, limit: TextLimit.name) == value
    }

    /// True for every way to say nothing.
    private static func isEmpty(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool(false): true
        case .string(let text): BoundaryText.clean(text, limit: TextLimit.name).isEmpty
        case .array(let items): items.allSatisfy(isEmpty)
        case .object(let object): object.members.allSatisfy { isEmpty($0.value) }
        default: false
        }
    }
}

/// What a fixture says beside its vault and its candidates.
struct FixtureFacts: Sendable {
    let name: String
    let story: String?
    let asOf: Instant?
    let request: JSONValue
    let judgments: JSONValue
    var layout: JSONValue = [:]
    var extra: JSONValue = [:]

    init(_ document: FixtureDocument) {
        name = document.name
        story = document.original["story"]?.string?.withoutZeros
        asOf = document.asOf
        request = document.original["request"] ?? .null
        judgments = document.original["judgments"] ?? .null
    }

    /// A vault that was never imported is named by its id.
    init(vault: PostgresUUID) {
        name = "vault-\(vault.description.prefix(8))"
        story = nil
        asOf = nil
        request = .null
        judgments = .null
        layout = ["absent": ["story", "as_of", "request", "candidates", "judgments"]]
    }

    init(_ row: Row) throws(PostgresError) {
        name = try row.decode("name")
        story = try row.decode("story")
        asOf = try row.decode("as_of")
        request = try row.decode("request", as: JSONValue?.self) ?? .null
        judgments = try row.decode("judgments", as: JSONValue?.self) ?? .null
        layout = try row.decode("layout")
        extra = try row.decode("extra")
    }

    static func query(_ vault: PostgresUUID) -> SQLQuery {
        """
        select name, story, as_of, request, judgments, layout, extra from public.vault_imports
        where vault_id = \(vault)
        """
    }

    /// When the vault was imported, to the microsecond.
    static func moment(of vault: PostgresUUID) -> SQLQuery {
        """
        select extract(epoch from i.imported_at)::text as moment from public.vault_imports i
        where i.vault_id = \(vault)
        """
    }

    func insertion(vault: PostgresUUID, _ written: FixtureLayout, rates: JSONValue, digest: String) -> SQLQuery {
        """
        insert into public.vault_imports
            (vault_id, name, story, as_of, request, judgments, rates, layout, extra, file_digest)
        values (
            \(vault), \(name), \(story), \(asOf), \(Self.json(request))::text::pg_catalog.json,
            \(Self.json(judgments))::text::pg_catalog.json, \(Self.json(rates))::text::pg_catalog.json,
            \(JSONWriter.text(written.layout))::text::pg_catalog.json,
            \(JSONWriter.text(written.extra))::text::pg_catalog.json, \(digest)
        )
        """
    }

    /// Text on its way to `json`, which keeps what `jsonb` would change; null for null.
    private static func json(_ value: JSONValue) -> String? { value.isNull ? nil : JSONWriter.text(value) }
}

extension VaultRows {
    /// How many statements read a vault.
    static let count = 10

    /// One statement for each table, in the order of `init(_:)`.
    static func queries(_ vault: PostgresUUID) -> [SQLQuery] {
        [
            """
            select v.id, v.user_id, v.partner_name, v.relationship_tenure_months, v.cohabitation_status,
                v.location_city, v.location_state, v.location_country, u.timezone
            from public.partner_vaults v join public.users u on u.id = v.user_id
            where v.id = \(vault)
            """,
            """
            select interest_type, interest_category from public.partner_interests where vault_id = \(vault)
            order by created_at, id
            """,
            """
            select id, milestone_type, milestone_name, milestone_date, recurrence, budget_tier
            from public.partner_milestones where vault_id = \(vault) order by created_at, id
            """,
            "select vibe_tag from public.partner_vibes where vault_id = \(vault) order by created_at, id",
            """
            select occasion_type, min_amount, max_amount, currency from public.partner_budgets
            where vault_id = \(vault) order by occasion_type
            """,
            """
            select language, priority from public.partner_love_languages where vault_id = \(vault) order by priority
            """,
            """
            select id, hint_text, source, created_at, is_used from public.hints
            where vault_id = \(vault) order by created_at, id
            """,
            """
            select id, recommendation_type, title, external_url, price_cents, merchant_name, created_at
            from public.recommendations where vault_id = \(vault) order by created_at, id
            """,
            """
            select f.id, f.recommendation_id, f.action, f.rating, f.feedback_text, f.created_at
            from public.recommendation_feedback f join public.recommendations r on r.id = f.recommendation_id
            join public.partner_vaults v on v.id = r.vault_id and v.user_id = f.user_id
            where r.vault_id = \(vault) order by f.created_at, f.id
            """,
            """
            select weights, signal_count, half_life_days, as_of, imported is not null as is_imported
            from public.learned_weights where vault_id = \(vault)
            """,
        ]
    }

    /// Nil where there is no such vault.
    init?(_ results: [Rows]) {
        guard !results[0].isEmpty else { return nil }
        var problems: [JSONProblem] = []
        var first = Self.objects(results[0], of: "partner_vaults", &problems)[0]
        timeZone = first["timezone"] ?? .null
        first["timezone"] = nil
        vault = first
        interests = Self.objects(results[1], of: "partner_interests", &problems)
        milestones = Self.objects(results[2], of: "partner_milestones", &problems)
        vibes = Self.objects(results[3], of: "partner_vibes", &problems)
        budgets = Self.objects(results[4], of: "partner_budgets", &problems)
        languages = Self.objects(results[5], of: "partner_love_languages", &problems)
        hints = Self.objects(results[6], of: "hints", &problems)
        history = Self.objects(results[7], of: "recommendations", &problems)
        feedback = Self.objects(results[8], of: "recommendation_feedback", &problems)
        if let row = results[9].first {
            do throws(PostgresError) {
                learned = try Self.learned(row)
            } catch {
                problems.append(JSONProblem(unreadable: row, of: "learned_weights", error))
            }
        }
        self.problems = problems
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

    /// Rows as objects, whatever their columns are called; a cell that cannot be read is null and a problem.
    private static func objects(_ rows: Rows, of table: String, _ problems: inout [JSONProblem]) -> [JSONObject] {
        (0..<rows.count).map { index in
            var object = JSONObject()
            for (place, column) in rows.columns.enumerated() {
                do throws(PostgresError) {
                    object[column.name] = try value(rows[index], place, column.type)
                } catch {
                    object[column.name] = .null
                    problems.append(JSONProblem(unreadable: rows[index], of: table, error))
                }
            }
            return object
        }
    }

    private static func value(_ row: Row, _ place: Int, _ type: PostgresType) throws(PostgresError) -> JSONValue {
        switch type {
        case .int2, .int4, .int8: JSONValue(try row.decode(at: place, as: Int?.self))
        case .bool: try row.decode(at: place, as: Bool?.self).map(JSONValue.bool) ?? .null
        case .uuid: JSONValue(try row.decode(at: place, as: PostgresUUID?.self)?.description)
        case .timestamptz: JSONValue(try row.decode(at: place, as: Instant?.self)?.iso8601)
        case .date: JSONValue(try row.decode(at: place, as: CivilDate?.self)?.description)
        default: JSONValue(try row.decode(at: place, as: String?.self))
        }
    }
}
