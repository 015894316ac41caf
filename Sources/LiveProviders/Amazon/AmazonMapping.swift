import KnotDomain

/// An item as a candidate.
enum AmazonMapping {
    /// Nil for what cannot be had now, or lacks a name or a link.
    ///
    /// An item without a listing exists, but nobody sells it today.
    static func candidate(of item: AmazonWire.Item, asOf now: Instant?) -> Candidate? {
        guard let listing = best(of: item.listings.filter(isAvailable)) else { return nil }
        var draft = CandidateDraft(
            provider: .amazon,
            id: item.asin,
            type: .gift,
            title: item.title,
            url: item.url,
            currency: listing.currency ?? .usd
        )
        let features = item.features.prefix(3).joined(separator: ". ")
        draft.description = features.isEmpty ? nil : features
        draft.imageURL = item.imageURL
        if !listing.hidesPrice, let currency = listing.currency {
            draft.priceCents = listing.amount?.minorUnits(of: currency).flatMap { $0 > 0 ? $0 : nil }
        }
        draft.merchant = listing.merchant ?? "Amazon"
        draft.rating = item.rating
        draft.reviewCount = item.reviewCount
        let message = listing.availabilityMessage
        draft.shipsInDays = message.flatMap { shippingDays($0) ?? daysUntilRelease($0, asOf: now) }
        draft.tags = item.kinds + [item.brand].compactMap { $0 }
        return draft.candidate
    }

    /// The plain new offer that the store itself would put into the basket, else another plain new one.
    private static func best(of listings: [AmazonWire.Listing]) -> AmazonWire.Listing? {
        let plain = listings.filter { $0.type != "SUBSCRIBE_AND_SAVE" && ($0.condition ?? "New") == "New" }
        return plain.first { $0.isBuyBoxWinner && $0.type == nil && !$0.hidesPrice }
            ?? plain.first { !$0.hidesPrice } ?? plain.first
    }

    /// Few left is not sold out; a kind of availability that nobody knows is none.
    private static func isAvailable(_ listing: AmazonWire.Listing) -> Bool {
        ["IN_STOCK", "IN_STOCK_SCARCE", "PREORDER", "LEADTIME"].contains(listing.availability ?? "")
    }

    /// "Usually ships within 2 to 3 weeks" is 21 days: the later end; nil where the sentence names no time.
    static func shippingDays(_ message: String) -> Int? {
        let words = message.prefix(200).lowercased().split { !$0.isLetter && !$0.isNumber }
        guard let start = words.firstIndex(of: "within"), words[..<start].contains(where: { $0.hasPrefix("ship") })
        else { return nil }
        var most: Int?
        for word in words[(start + 1)...] {
            if let number = Int(word) {
                most = max(most ?? 0, min(number, 1_000))
            } else if word != "to" {
                let units = ["day": 1, "days": 1, "week": 7, "weeks": 7, "month": 31, "months": 31]
                return units[String(word)].flatMap { unit in most.map { $0 * unit } }
            }
        }
        return nil
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// "This title will be released on March 15, 2027." is as many days as there are until then; nil where it says no day.
    static func daysUntilRelease(_ message: String, asOf now: Instant?) -> Int? {
        let words = message.prefix(200).lowercased().split { !$0.isLetter && !$0.isNumber }
        guard let now, let start = words.firstIndex(of: "released") else { return nil }
        let date = words[(start + 1)...].prefix(4)
        let numbers = date.compactMap { Int($0) }
        guard let month = date.lazy.compactMap({ months.firstIndex(of: String($0)) }).first, numbers.count == 2,
            let day = CivilDate(year: numbers[1], month: month + 1, day: numbers[0])
        else { return nil }
        let today = LocalDateTime(secondsSinceEpoch: Int(now.secondsSinceEpoch)).date
        return max(0, day.daysSinceEpoch - today.daysSinceEpoch)
    }
}
