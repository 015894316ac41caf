import JSONDocument
import KnotDomain

/// A vault as a tree of objects: hints, milestones and history by id instead of by place, and their order.
struct KeyedVault {
    /// As a fixture has it, but for the three lists, which are objects here.
    let tree: JSONObject
    /// The ids in order, by the list's name.
    let order: [String: [String]]

    private static let lists = ["milestones", "hints", "history"]

    /// What the rows say.
    init(_ rows: VaultRows) {
        let row = rows.vault
        var place: JSONValue = [
            "city": row["location_city"] ?? .null, "state": row["location_state"] ?? .null,
            "country": row["location_country"] ?? .null,
        ]
        if place.object?.members.allSatisfy(\.value.isNull) == true { place = .null }
        func interests(_ type: JSONValue) -> JSONValue {
            .array(rows.interests.filter { $0["interest_type"] == type }.compactMap { $0["interest_category"] })
        }
        let budgets = rows.budgets.map { budget in
            JSONObject.Member(
                name: budget["occasion_type"]?.string ?? "",
                value: [
                    "min_cents": budget["min_amount"] ?? .null, "max_cents": budget["max_amount"] ?? .null,
                    "currency": budget["currency"] ?? .null,
                ]
            )
        }
        func language(_ priority: JSONValue) -> JSONValue {
            rows.languages.first { $0["priority"] == priority }?["language"] ?? .null
        }
        let feedback = Dictionary(grouping: rows.feedback) { $0["recommendation_id"]?.string ?? "" }
        let items = rows.history.map { Self.history($0, feedback[$0["id"]?.string ?? ""] ?? []) }
        var value: JSONValue = [
            "id": row["id"] ?? .null, "user_id": row["user_id"] ?? .null, "partner_name": row["partner_name"] ?? .null,
            "relationship_tenure_months": row["relationship_tenure_months"] ?? .null,
            "cohabitation_status": row["cohabitation_status"] ?? .null, "location": place,
            "timezone": rows.timeZone, "likes": interests("like"), "dislikes": interests("dislike"),
            "vibes": .array(rows.vibes.compactMap { $0["vibe_tag"] }), "budgets": .object(JSONObject(budgets)),
            "love_languages": ["primary": language(1), "secondary": language(2)],
            "milestones": .array(rows.milestones.map(Self.milestone)), "hints": .array(rows.hints.map(Self.hint)),
            "history": .array(items),
        ]
        if !rows.learned.isNull, var vault = value.object {
            vault["learned"] = rows.learned
            value = .object(vault)
        }
        self.init(value, ids: Self.ids(rows))
    }

    /// What a document says, its lists' items named by the ids of their rows.
    init(_ vault: JSONValue, ids: [String: [String]]) {
        var tree = vault.object ?? JSONObject()
        for list in Self.lists {
            guard let items = tree[list]?.array else { continue }
            tree[list] = .object(
                JSONObject(zip(ids[list] ?? [], items).map { .init(name: $0, value: Self.keyed($1, list)) })
            )
        }
        self.tree = tree
        order = ids
    }

    static func ids(_ rows: VaultRows) -> [String: [String]] {
        [
            "milestones": rows.milestones.compactMap { $0["id"]?.string?.lowercased() },
            "hints": rows.hints.compactMap { $0["id"]?.string?.lowercased() },
            "history": rows.history.compactMap { $0["id"]?.string?.lowercased() },
        ]
    }

    /// The document again; ids that the wanted order does not name come last.
    static func document(_ tree: JSONObject, order: [String: [String]], wanted: JSONValue) -> JSONValue {
        var document = tree
        for list in lists {
            guard let items = tree[list]?.object.map(MemberIndex.init) else { continue }
            let named = (wanted[list]?.array ?? []).compactMap(\.string).filter { items[$0] != nil }
            let known = Set(named)
            let all = named + (order[list] ?? []).filter { !known.contains($0) }
            document[list] = .array(all.compactMap { items[$0].map { unkeyed($0, list) } })
        }
        return .object(document)
    }

    private static func keyed(_ item: JSONValue, _ list: String) -> JSONValue {
        guard list == "history", var object = item.object, let said = object["feedback"]?.array else { return item }
        let members = said.enumerated().map { JSONObject.Member(name: String($0), value: $1) }
        object["feedback"] = .object(JSONObject(members))
        return .object(object)
    }

    private static func unkeyed(_ item: JSONValue, _ list: String) -> JSONValue {
        guard list == "history", var object = item.object, let said = object["feedback"]?.object else { return item }
        object["feedback"] = .array(said.members.map(\.value))
        return .object(object)
    }

    private static func milestone(_ row: JSONObject) -> JSONValue {
        [
            "id": row["id"] ?? .null, "type": row["milestone_type"] ?? .null, "name": row["milestone_name"] ?? .null,
            "date": row["milestone_date"] ?? .null, "recurrence": row["recurrence"] ?? .null,
            "budget_tier": row["budget_tier"] ?? .null,
        ]
    }

    private static func hint(_ row: JSONObject) -> JSONValue {
        [
            "id": row["id"] ?? .null, "text": row["hint_text"] ?? .null, "source": row["source"] ?? .null,
            "created_at": row["created_at"] ?? .null, "is_used": row["is_used"] ?? .null,
        ]
    }

    private static func history(_ row: JSONObject, _ feedback: [JSONObject]) -> JSONValue {
        [
            "title": row["title"] ?? .null, "type": row["recommendation_type"] ?? .null,
            "merchant": row["merchant_name"] ?? .null, "url": row["external_url"] ?? .null,
            "price_cents": row["price_cents"] ?? .null, "at": row["created_at"] ?? .null,
            "feedback": .array(
                feedback.map {
                    [
                        "action": $0["action"] ?? .null, "rating": $0["rating"] ?? .null,
                        "reason": $0["feedback_text"] ?? .null,
                    ]
                }
            ),
        ]
    }
}

/// What a document says and its rows do not: members left out, how scalars were spelled, what no column knows.
///
/// Both documents are trees of objects here: lists of rows are objects keyed by the rows' ids.
struct DocumentDifference {
    /// `absent`, `as`, and `in` for what lies below; null where there is nothing to say.
    let layout: JSONValue
    /// `values`, and `in` for what lies below; null where there is nothing to say.
    let extra: JSONValue

    init(layout: JSONValue, extra: JSONValue) {
        self.layout = layout
        self.extra = extra
    }

    init(of original: JSONObject, against base: JSONObject) {
        var absent: [String] = []
        var spelled = JSONObject()
        var values = JSONObject()
        var layouts: [JSONObject.Member] = []
        var extras: [JSONObject.Member] = []
        let written = MemberIndex(original)
        for member in base.members {
            guard let found = written[member.name] else {
                absent.append(member.name)
                continue
            }
            if let one = found.object, let other = member.value.object {
                let below = DocumentDifference(of: one, against: other)
                if !below.layout.isNull { layouts.append(.init(name: member.name, value: below.layout)) }
                if !below.extra.isNull { extras.append(.init(name: member.name, value: below.extra)) }
            } else if !Self.isSame(found, member.value) {
                spelled[member.name] = found
            }
        }
        let kept = MemberIndex(base)
        for member in original.members where kept[member.name] == nil { values[member.name] = member.value }
        var layout = JSONObject()
        if !absent.isEmpty { layout["absent"] = JSONValue(absent) }
        if !spelled.isEmpty { layout["as"] = .object(spelled) }
        if !layouts.isEmpty { layout["in"] = .object(JSONObject(layouts)) }
        var extra = JSONObject()
        if !values.isEmpty { extra["values"] = .object(values) }
        if !extras.isEmpty { extra["in"] = .object(JSONObject(extras)) }
        self.init(layout: layout.isEmpty ? .null : .object(layout), extra: extra.isEmpty ? .null : .object(extra))
    }

    /// The document again; what was said of rows that are gone is passed over.
    ///
    /// A spelling holds only while the column has the value it was a spelling of, which `isSpelling` tells.
    func applied(
        to base: JSONObject,
        isSpelling: (_ name: String, _ spelled: JSONValue, _ column: JSONValue) -> Bool
    ) -> JSONObject {
        let layouts = MemberIndex(layout["in"]?.object)
        let extras = MemberIndex(extra["in"]?.object)
        let spellings = MemberIndex(layout["as"]?.object)
        let members = base.members.map { member in
            var value = member.value
            if let object = member.value.object {
                let below = DocumentDifference(
                    layout: layouts[member.name] ?? .null,
                    extra: extras[member.name] ?? .null
                )
                value = .object(below.applied(to: object, isSpelling: isSpelling))
            }
            if let spelled = spellings[member.name], isSpelling(member.name, spelled, member.value) { value = spelled }
            return JSONObject.Member(name: member.name, value: value)
        }
        var document = JSONObject(members)
        for name in (layout["absent"]?.array ?? []).compactMap(\.string) where Self.isEmpty(document[name]) {
            document[name] = nil
        }
        for member in extra["values"]?.object?.members ?? [] { document[member.name] = member.value }
        return document
    }

    /// True for what an absent member may stand for: it has been given a value since where this is false.
    private static func isEmpty(_ value: JSONValue?) -> Bool {
        switch value {
        case nil, .null, .bool(false): true
        case .array(let items): items.isEmpty
        case .object(let object): object.isEmpty
        default: false
        }
    }

    /// Equal, but for zero characters, which no column can hold and nothing may keep instead.
    private static func isSame(_ found: JSONValue, _ column: JSONValue) -> Bool {
        JSONWriter.bytes(found.withoutZeros, style: .canonical) == JSONWriter.bytes(column, style: .canonical)
    }
}

/// An object's members by name, found in one step where there are many: a vault may have ten thousand notes.
struct MemberIndex {
    /// Up to so many are as quickly looked through.
    private static let few = 16

    private let object: JSONObject
    private let values: [String: JSONValue]?

    init(_ object: JSONObject?) {
        self.object = object ?? JSONObject()
        values =
            self.object.members.count > Self.few
            ? Dictionary(self.object.members.map { ($0.name, $0.value) }) { first, _ in first } : nil
    }

    subscript(name: String) -> JSONValue? { values.map { $0[name] } ?? object[name] }
}

extension JSONValue {
    /// The same without any U+0000, which PostgreSQL cannot store.
    var withoutZeros: JSONValue {
        switch self {
        case .null, .bool, .integer, .number: self
        case .string(let text): text.utf8.contains(0) ? .string(text.withoutZeros) : self
        case .array(let items): .array(items.map(\.withoutZeros))
        case .object(let object):
            .object(
                JSONObject(object.members.map { .init(name: $0.name.withoutZeros, value: $0.value.withoutZeros) })
            )
        }
    }
}

extension String {
    var withoutZeros: String {
        utf8.contains(0) ? String(unicodeScalars.filter { $0 != "\0" }.map(Character.init)) : self
    }
}
