import TextEncoding

/// The words by which listings name the occasions they are made for.
enum OccasionWords {
    /// The numbers of the occasions a text speaks of.
    static func occasions(in text: TokenizedText) -> Set<Int> { occasions(in: [text]) }

    /// The numbers of the occasions that any of several texts speaks of.
    static func occasions(in texts: [TokenizedText]) -> Set<Int> {
        var found: Set<Int> = []
        let (matcher, owners) = (matcher, owners)
        for text in texts {
            for hit in matcher.hits(in: text) { found.insert(owners[hit.phrase]) }
        }
        return found
    }

    static func name(of occasion: Int) -> String { names[occasion][0] }

    private static let names = [
        ["birthday"], ["anniversary"], ["valentine", "valentine's day"], ["mother's day", "mothers day"],
        ["father's day", "fathers day"], ["christmas", "xmas", "noel"], ["easter"], ["halloween"], ["thanksgiving"],
        ["new year", "new year's eve"], ["graduation", "graduate", "commencement"], ["retirement"], ["wedding"],
        ["housewarming", "new home"], ["baby shower", "newborn"], ["hanukkah", "chanukah"], ["diwali", "deepavali"],
        ["lunar new year", "chinese new year"], ["eid"],
    ]

    private static let owners = names.enumerated().flatMap { number, names in names.map { _ in number } }
    private static let matcher = PhraseMatcher(names.flatMap { $0 }.map { Phrase($0) })
}
