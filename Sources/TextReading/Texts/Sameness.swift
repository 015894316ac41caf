package import TextEncoding

/// When two things count as one, for merging, history, rejections and hard rules alike; titles come as sets of stems.
package enum Sameness {
    /// A merchant's name for comparing; nil when there is none.
    package static func merchantKey(_ name: String?) -> String? {
        guard let name else { return nil }
        let words = Tokenizer.words(of: name, limit: 20)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// The stems of a title that is not an offer's.
    package static func stems(ofTitle title: String) -> StemSet {
        StemSet(contentOf: TokenizedText(title, limit: CleanedText.wordLimit))
    }

    /// Shared words over all words: Jaccard.
    package static func overlap(_ left: StemSet, _ right: StemSet) -> Double { left.overlap(with: right) }

    /// The share of the smaller title's words that the other has too.
    package static func containment(_ left: StemSet, _ right: StemSet) -> Double {
        guard !left.isEmpty, !right.isEmpty else { return 0 }
        return Double(left.sharedCount(with: right)) / Double(min(left.count, right.count))
    }

    /// Two things of one kind, such as two scarves, whatever their titles say besides.
    package static func isSameKind(
        _ left: GiftKind?,
        _ leftTitle: StemSet,
        _ right: GiftKind?,
        _ rightTitle: StemSet
    ) -> Bool {
        guard let left, let right, left.head == right.head else { return false }
        return left.isKind(of: right, title: rightTitle) || right.isKind(of: left, title: leftTitle)
    }

    /// The overlap from which two titles of gifts, or of outings, are near duplicates.
    package static let nearTitle = 0.6

    /// Titles that name the same thing, one perhaps at greater length: most of the shorter's words, and at least two.
    ///
    /// Where each has a telling word that the other lacks, the rest is the form of both: a class for two, of this or that.
    package static func isSameTitle(_ left: StemSet, _ right: StemSet, share: Double, ofGift: Bool) -> Bool {
        if left == right, !left.isEmpty { return true }
        let shared = left.sharedCount(with: right)
        guard shared >= 2, Double(shared) >= share * Double(min(left.count, right.count)) else { return false }
        return left.without(right).telling(ofGift: ofGift).isEmpty
            || right.without(left).telling(ofGift: ofGift).isEmpty
    }
}
