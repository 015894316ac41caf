extension Candidate {
    /// Whether both say the same to the byte; equal strings may be spelled with other scalars.
    package func isIdentical(to other: Candidate) -> Bool {
        guard
            priceCents == other.priceCents, type == other.type, provider == other.provider,
            startsAt == other.startsAt, rating?.bitPattern == other.rating?.bitPattern,
            reviewCount == other.reviewCount,
            shipsInDays == other.shipsInDays, tags.count == other.tags.count
        else { return false }
        return Self.areIdentical(id.text, other.id.text) && Self.areIdentical(title, other.title)
            && Self.areIdentical(description, other.description) && Self.areIdentical(url, other.url)
            && Self.areIdentical(imageURL, other.imageURL) && Self.areIdentical(currency.code, other.currency.code)
            && Self.areIdentical(merchant, other.merchant) && Self.areIdentical(location, other.location)
            && zip(tags, other.tags).allSatisfy { Self.areIdentical($0, $1) }
    }

    private static func areIdentical(_ left: Place?, _ right: Place?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return areIdentical(left.city, right.city) && areIdentical(left.state, right.state)
            && areIdentical(left.country, right.country)
    }

    private static func areIdentical(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return areIdentical(left, right)
    }

    private static func areIdentical(_ left: String, _ right: String) -> Bool {
        let first = left.utf8.span
        let second = right.utf8.span
        guard first.count == second.count else { return false }
        // Without a way out in the middle, many bytes are compared at once.
        var difference: UInt8 = 0
        for place in first.indices { difference |= first[place] ^ second[place] }
        return difference == 0
    }
}
