import KnotDomain
import TextEncoding
import TextReading

/// When two offers count as one.
extension Sameness {
    /// The same product of one merchant: near-same titles, of what may be one thing.
    static func isSameProduct(_ left: Offer, _ right: Offer, overlap threshold: Double) -> Bool {
        overlap(left.words.titleSet, right.words.titleSet) >= threshold && mayBeOne(left, right)
    }

    /// Whether two listings may be of one thing: of fitting types, towns, times and titles; an unknown start fits any.
    static func mayBeOne(_ left: Offer, _ right: Offer) -> Bool {
        let (one, other) = (left.candidate, right.candidate)
        guard one.type.mayBeSame(as: other.type), one.location?.city == other.location?.city,
            one.startsAt == nil || other.startsAt == nil || one.startsAt == other.startsAt
        else { return false }
        return !titleWords(of: left).areApart(from: titleWords(of: right))
    }

    /// Whether two listings of one address are of one thing: an address where many things are booked has one for all.
    static func isOnePage(_ left: Offer, _ right: Offer) -> Bool {
        let (one, other) = (left.candidate, right.candidate)
        let isSamePrice = one.priceCents != nil && one.priceCents == other.priceCents && one.currency == other.currency
        return isSamePrice && one.type == other.type || shareName(left, right)
    }

    /// Whether two titles share a word that tells what they are of, those of a house's name aside.
    static func shareName(_ left: Offer, _ right: Offer) -> Bool {
        let (one, other) = (left.words.titleSet, right.words.titleSet)
        if one == other { return true }
        guard one.sharedCount(with: other) > 0 else { return false }
        let houses = [left, right].compactMap(\.words.merchant).map(stems(ofTitle:))
        let shared = houses.reduce(one.shared(with: other)) { $0.without($1) }
        return !shared.telling(ofGift: false).isEmpty
    }

    private static func titleWords(of offer: Offer) -> TitleWords {
        TitleWords(offer.candidate.title, offer.words.titleSet, house: offer.words.merchant)
    }

    /// Two offers that a person would call the same present: never both on the table.
    static func isNearDuplicate(_ left: Offer, _ right: Offer) -> Bool {
        left.candidate.type.mayBeSame(as: right.candidate.type)
            && (left.words.titleSet.overlaps(right.words.titleSet, nearTitle)
                || left.giftPage != nil && left.giftPage == right.giftPage)
    }

    static func isSameKind(_ left: Offer, _ right: Offer) -> Bool {
        isSameKind(left.kind, left.words.titleSet, right.kind, right.words.titleSet)
    }
}
