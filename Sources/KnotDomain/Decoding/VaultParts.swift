import JSONDocument

/// Reads the lists of a vault whose items must agree with one another.
enum VaultParts {
    /// An interest and where it was read.
    struct ReadInterest {
        let reader: JSONReader
        let interest: Interest
        var key: String { interest.name.lowercased() }
    }

    static func interests(_ reader: JSONReader?) -> [ReadInterest] {
        guard let reader else { return [] }
        var seen: Set<String> = []
        return reader.items().compactMap { item in
            guard let name = item.text(limit: TextLimit.tag) else { return nil }
            let read = ReadInterest(reader: item, interest: Interest(name))
            guard seen.insert(read.key).inserted else {
                item.note("\"\(name)\" is listed twice")
                return nil
            }
            return read
        }
    }

    static func expectDisjoint(likes: [ReadInterest], dislikes: [ReadInterest], in reader: JSONReader) {
        let liked = Set(likes.map(\.key))
        for dislike in dislikes where liked.contains(dislike.key) {
            dislike.reader.note("\"\(dislike.interest.name)\" is among the likes too")
        }
    }

    static func vibes(_ reader: JSONReader?) -> [Vibe] {
        guard let reader else { return [] }
        var vibes: [Vibe] = []
        let items = reader.items()
        for item in items {
            guard let vibe = item.choice(Vibe.self) else { continue }
            if vibes.contains(vibe) { item.note("\"\(vibe.rawValue)\" is listed twice") } else { vibes.append(vibe) }
        }
        if items.isEmpty, reader.value.array != nil { reader.note("needs at least one vibe") }
        return vibes
    }

    static func budgets(_ reader: JSONReader?) -> [OccasionTier: Budget] {
        guard let reader else { return [:] }
        var budgets: [OccasionTier: Budget] = [:]
        for tier in OccasionTier.allCases {
            guard let member = reader.required(tier.rawValue) else {
                // Of what is no object, one problem is enough.
                if reader.value.object == nil { return [:] }
                continue
            }
            budgets[tier] = Budget(reading: member)
        }
        for name in reader.value.object?.names ?? [] where OccasionTier(rawValue: name) == nil {
            reader.note("is not a budget tier", at: name)
        }
        return budgets
    }

    /// Notes ids that came before in the same list.
    static func expectDistinct(_ items: [(reader: JSONReader, id: String?)]) {
        var seen: Set<String> = []
        for item in items {
            if let id = item.id, !seen.insert(id.lowercased()).inserted {
                item.reader.note("\"\(id)\" is listed twice", at: "id")
            }
        }
    }
}
