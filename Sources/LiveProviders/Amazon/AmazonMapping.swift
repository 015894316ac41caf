import KnotDomain
import TextReading

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
        draft.priceCents = price(of: listing)
        draft.merchant = listing.merchant ?? "Amazon"
        draft.rating = item.rating
        draft.reviewCount = item.reviewCount
        draft.shipsInDays = shipsInDays(listing, asOf: now)
        draft.tags = item.kinds + [item.brand].compactMap { $0 }
        return draft.candidate
    }

    /// The plain new offer that the store would put into the basket, or another plain new one.
    ///
    /// Several of a thing, a deal or a slower parcel come only if there is no plain one. An offer without a known price comes
    /// last.
    private static func best(of listings: [AmazonWire.Listing]) -> AmazonWire.Listing? {
        func flaws(_ listing: AmazonWire.Listing) -> [Bool] {
            [listing.hidesPrice, listing.type != nil, listing.leastQuantity != 1, !listing.isBuyBoxWinner]
        }
        let plain = listings.filter { $0.type != "SUBSCRIBE_AND_SAVE" && ($0.condition ?? "New") == "New" }
        return plain.min { flaws($0).lexicographicallyPrecedes(flaws($1)) { !$0 && $1 } }
    }

    /// Prices as many as have to be ordered; nil where not all people pay that.
    private static func price(of listing: AmazonWire.Listing) -> Int? {
        guard !listing.hidesPrice, let currency = listing.currency, let quantity = listing.leastQuantity,
            let one = listing.amount?.minorUnits(of: currency), one > 0
        else { return nil }
        let (price, overflows) = one.multipliedReportingOverflow(by: quantity)
        return overflows ? nil : price
    }

    /// Few left is not sold out; a kind of availability that nobody knows is none.
    private static func isAvailable(_ listing: AmazonWire.Listing) -> Bool {
        ["IN_STOCK", "IN_STOCK_SCARCE", "PREORDER", "LEADTIME"].contains(listing.availability ?? "")
    }

    /// What has to be made or is still to come, and of which nobody can read when, comes late for all that anybody knows.
    private static let late = 365

    /// In how many days it comes; nil where it is there, and nothing says how long it takes.
    private static func shipsInDays(_ listing: AmazonWire.Listing, asOf now: Instant?) -> Int? {
        let isThere = ["IN_STOCK", "IN_STOCK_SCARCE"].contains(listing.availability ?? "")
        let message = DeliveryMessage(listing.availabilityMessage ?? "")
        let day = message.day.flatMap { day in now.map { day.daysSinceEpoch - Int($0.secondsSinceEpoch) / 86_400 } }
        let stated = [day.flatMap { $0 < 0 ? nil : $0 }, message.days(needsSending: isThere)].compactMap(\.self).max()
        if stated != nil || isThere { return stated }
        // What was to come on a day that is over has come; of what is there it may be the day of a first edition.
        return day == nil ? late : 0
    }
}
