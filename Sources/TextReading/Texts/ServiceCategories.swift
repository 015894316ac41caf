package import KnotDomain

extension Candidate {
    /// Its tags without a service's own departments, of which each holds all sorts of things: what is in "Sports & Outdoors"
    /// may be a picnic rug, and what is in "Arts & Theatre" is told by the genre beside it.
    package var tellingTags: [String] {
        tags.contains(where: Self.isDepartment) ? tags.filter { !Self.isDepartment($0) } : tags
    }

    package static func isDepartment(_ tag: String) -> Bool {
        tag.utf8.contains(UInt8(ascii: "&")) && departments.contains(tag.lowercased())
    }

    /// Those whose words would be taken for an interest that they only stand beside.
    private static let departments: Set<String> = [
        "arts & theatre", "arts & theater", "arts & entertainment", "sports & outdoors", "sports, fitness & outdoors",
        "toys & games", "movies & tv", "cds & vinyl", "arts, crafts & sewing", "home & kitchen", "kitchen & dining",
        "health & household", "health & personal care", "beauty & personal care", "patio, lawn & garden",
        "tools & home improvement", "clothing, shoes & jewelry", "clothing, shoes & accessories",
        "grocery & gourmet food",
        "cell phones & accessories", "event planning & services", "hotels & travel", "travel & tourism",
        "baby & family", "industrial & scientific", "books & magazines", "office & school supplies",
    ]
}
