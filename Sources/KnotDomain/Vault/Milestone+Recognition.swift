package import JSONDocument

extension Milestone {
    /// Gives milestones without ids those of the vault that say the same, else those of the same type and name where there is
    /// one on each side.
    ///
    /// What was sent of them is not sent again, and what waits moves with the day.
    package static func recognized(_ given: JSONValue, among known: JSONValue) -> JSONValue {
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
