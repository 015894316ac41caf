/// Elements that marked items refer to by `itemref`: they stand elsewhere on the page, and what they say is the item's.
struct ReferredMarkup {
    /// The ids that any item refers to; others are looked for on no page.
    private let ids: Set<String>
    /// The item that gathers what the element with an id says, by its place in the list.
    private var gathered: [String: Int] = [:]
    private var references: [(item: Int, ids: [String])] = []

    private static let mostReferences = 100
    private static let longestReference = 300

    /// Looks through a page for what is referred to, which may come before whoever refers to it.
    init(_ page: [UInt8]) {
        let wanted = Array("itemref".utf8)
        var ids: Set<String> = []
        var place = 0
        for _ in 0..<Self.mostReferences {
            guard let found = MarkupTag.find(wanted, in: page, from: place) else { break }
            place = found + wanted.count
            let rest = page[found...].prefix(Self.longestReference).prefix { $0 != UInt8(ascii: ">") }
            ids.formUnion(Self.words(MarkupTag(Array("a ".utf8)[...] + rest)["itemref"]))
        }
        self.ids = ids
    }

    private static func words(_ text: String?) -> [String] { (text ?? "").split { $0.isWhitespace }.map(String.init) }

    /// Whether an element is one that is referred to; then what it says is gathered in the item at that place.
    mutating func begins(_ id: String?, at place: Int) -> Bool {
        guard let id, ids.contains(id), gathered[id] == nil else { return false }
        gathered[id] = place
        return true
    }

    mutating func note(_ reference: String?, of item: Int) {
        let ids = Self.words(reference)
        if !ids.isEmpty, references.count < Self.mostReferences { references.append((item, ids)) }
    }

    /// Gives each item what it refers to, in its order; nothing is given twice.
    mutating func join(_ items: inout [MarkedItem]) {
        for (item, ids) in references {
            for place in ids.compactMap({ gathered.removeValue(forKey: $0) }) where place != item {
                items[item].properties += items[place].properties.prefix(
                    max(0, MarkedItem.mostProperties - items[item].properties.count)
                )
            }
        }
    }
}
