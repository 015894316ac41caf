/// Something a partner likes or dislikes: one of the forty, or the user's own words.
package struct Interest: Hashable, Sendable, Comparable {
    package let name: String
    /// The known interest with this name, whatever its case; worked out once, for it is asked of every offer.
    package let known: KnownInterest?

    /// Trimmed by whoever decodes it; never empty.
    package init(_ name: String) {
        self.name = name
        known =
            KnownInterest(rawValue: name)
            ?? KnownInterest.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
    }

    package init(_ known: KnownInterest) {
        name = known.rawValue
        self.known = known
    }

    package static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
    package static func < (left: Self, right: Self) -> Bool { left.name < right.name }
}
