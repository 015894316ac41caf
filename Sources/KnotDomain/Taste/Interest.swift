/// Something a partner likes or dislikes: one of the forty, or the user's own words.
package struct Interest: Hashable, Sendable, Comparable {
    package let name: String

    /// Trimmed by whoever decodes it; never empty.
    package init(_ name: String) {
        self.name = name
    }

    package init(_ known: KnownInterest) {
        name = known.rawValue
    }

    /// The known interest with this name, whatever its case.
    package var known: KnownInterest? {
        KnownInterest(rawValue: name)
            ?? KnownInterest.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
    }

    package static func < (left: Self, right: Self) -> Bool { left.name < right.name }
}
