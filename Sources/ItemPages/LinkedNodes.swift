import JSONDocument

/// The things of linked data by their `@id`, for those that are named in one place and said in another.
struct LinkedNodes {
    /// Of several that have one name, what says most.
    private var nodes: [String: JSONValue] = [:]
    /// What another thing names as its offer or its form, and what therefore stands for nothing by itself.
    private(set) var parts: Set<String> = []

    private static let mostNodes = 4_000
    private static let partNames: Set<String> = ["offers", "hasvariant", "workexample", "model"]

    init(_ values: [JSONValue]) {
        var left = Self.mostNodes
        for value in values { add(value, asPart: false, &left) }
    }

    /// The name that a value consists of; nil for what says more, and for what is no thing.
    static func reference(_ value: JSONValue) -> String? {
        guard let object = value.object, let id = object["@id"]?.string, !id.isEmpty,
            object.members.allSatisfy({ ["@id", "@type", "type"].contains($0.name) })
        else { return nil }
        return id
    }

    subscript(id: String) -> JSONValue? { nodes[id] }

    private mutating func add(_ value: JSONValue, asPart isPart: Bool, _ left: inout Int) {
        guard left > 0 else { return }
        left -= 1
        if let items = value.array {
            for item in items { add(item, asPart: isPart, &left) }
        } else if let id = Self.reference(value) {
            if isPart { parts.insert(id) }
        } else if let object = value.object {
            if let id = object["@id"]?.string, object.members.count > nodes[id]?.object?.members.count ?? 0 {
                nodes[id] = value
            }
            for member in object.members {
                add(member.value, asPart: Self.partNames.contains(SchemaNode.local(member.name).lowercased()), &left)
            }
        }
    }
}
