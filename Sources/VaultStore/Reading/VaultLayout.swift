package import JSONDocument

/// In which order the lists of an imported vault were written, where `vault_imports.layout` says another than that of
/// their moments.
///
/// Interests and vibes are listed by name, all other rows by id; what was added later comes after what is listed.
package struct VaultLayout: Sendable, Hashable {
    /// A list of a vault whose order means something.
    package enum List: String, CaseIterable, Sendable {
        case likes
        case dislikes
        case vibes
        case milestones
        case hints
        /// Ids of recommendations.
        case history
        /// Ids of feedback, over all of the history.
        case feedback
    }

    package var orders: [List: [String]]

    package init(orders: [List: [String]] = [:]) {
        self.orders = orders
    }

    /// Reads what is there; what is no list of texts says nothing, since a layout only arranges.
    package init(json: JSONValue) {
        orders = [:]
        for list in List.allCases {
            guard let names = json["order"]?[list.rawValue]?.array?.compactMap(\.string), !names.isEmpty else {
                continue
            }
            orders[list] = names
        }
    }

    /// One member for each list that has an order.
    package var json: JSONValue {
        let members = List.allCases.compactMap { list in
            orders[list].map { JSONObject.Member(name: list.rawValue, value: JSONValue($0)) }
        }
        return ["order": .object(JSONObject(members))]
    }

    /// The items with the listed ones first, in the listed order; the others keep theirs behind them.
    func arrange<Item>(_ items: [Item], as list: List, by name: (Item) -> String) -> [Item] {
        guard let order = orders[list] else { return items }
        var places: [String: Int] = [:]
        for (place, name) in order.enumerated() where places[name] == nil { places[name] = place }
        return items.enumerated()
            .map { (place: places[name($0.element)] ?? order.count + $0.offset, item: $0.element) }
            .sorted { $0.place < $1.place }
            .map(\.item)
    }
}
