import KnotDomain
import TextEncoding
import TextReading

/// When two things count as one, for merging, history, rejections and hard rules alike; titles come as sets of stems.
enum Sameness {
    /// A merchant's name for comparing; nil when there is none.
    static func merchantKey(_ name: String?) -> String? {
        guard let name else { return nil }
        let words = Tokenizer.words(of: name, limit: 20)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// The stems of a title that is not an offer's.
    static func stems(ofTitle title: String) -> StemSet {
        StemSet(contentOf: TokenizedText(title, limit: CleanedText.wordLimit))
    }

    /// Shared words over all words: Jaccard.
    static func overlap(_ left: StemSet, _ right: StemSet) -> Double { left.overlap(with: right) }

    /// The share of the smaller title's words that the other has too.
    static func containment(_ left: StemSet, _ right: StemSet) -> Double {
        guard !left.isEmpty, !right.isEmpty else { return 0 }
        return Double(left.sharedCount(with: right)) / Double(min(left.count, right.count))
    }

    /// The same product of one merchant: near-same titles, of what may be one thing.
    static func isSameProduct(_ left: Offer, _ right: Offer, overlap threshold: Double) -> Bool {
        overlap(left.words.titleSet, right.words.titleSet) >= threshold && mayBeOne(left, right)
    }

    /// Whether two listings may be of one thing: both gifts or both outings, in one town, not at two times, and not told
    /// apart by their titles.
    ///
    /// Who names no start contradicts none.
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

    /// Two things of one kind, such as two scarves, whatever their titles say besides.
    static func isSameKind(_ left: GiftKind?, _ leftTitle: StemSet, _ right: GiftKind?, _ rightTitle: StemSet) -> Bool {
        guard let left, let right, left.head == right.head else { return false }
        return left.isKind(of: right, title: rightTitle) || right.isKind(of: left, title: leftTitle)
    }

    static func isSameKind(_ left: Offer, _ right: Offer) -> Bool {
        isSameKind(left.kind, left.words.titleSet, right.kind, right.words.titleSet)
    }

    /// The overlap from which two titles of gifts, or of outings, are near duplicates.
    static let nearTitle = 0.6

    /// Titles that name the same thing, one perhaps at greater length: most of the shorter's words, and at least two.
    ///
    /// Where each has a telling word that the other lacks, the rest is the form of both: a class for two, of this or that.
    static func isSameTitle(_ left: StemSet, _ right: StemSet, share: Double, ofGift: Bool) -> Bool {
        if left == right, !left.isEmpty { return true }
        let shared = left.sharedCount(with: right)
        guard shared >= 2, Double(shared) >= share * Double(min(left.count, right.count)) else { return false }
        return left.without(right).telling(ofGift: ofGift).isEmpty
            || right.without(left).telling(ofGift: ofGift).isEmpty
    }
}
