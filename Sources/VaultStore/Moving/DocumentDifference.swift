import JSONDocument

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
