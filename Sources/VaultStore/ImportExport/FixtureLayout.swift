import JSONDocument
import KnotDomain

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
