import KnotDomain
import TextEncoding

/// When two things count as one, for merging, history, rejections and hard rules alike.
package enum Sameness {
    /// A merchant's name for comparing; nil when there is none.
    static func merchantKey(_ name: String?) -> String? {
        guard let name else { return nil }
        let words = Tokenizer.tokens(of: name, limit: 20).map(\.text)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    static func merchantKey(_ candidate: Candidate) -> String? { merchantKey(candidate.merchant) }

    /// Shared words over all words of the shorter title's set and the longer's: Jaccard over stems.
    static func overlap(_ left: TokenizedText, _ right: TokenizedText) -> Double {
        let first = Set(left.contentStems)
        let second = Set(right.contentStems)
        guard !first.isEmpty, !second.isEmpty else { return 0 }
        let shared = first.intersection(second).count
        return Double(shared) / Double(first.count + second.count - shared)
    }

    /// The share of the smaller title's words that the other has too.
    static func containment(_ left: TokenizedText, _ right: TokenizedText) -> Double {
        let first = Set(left.contentStems)
        let second = Set(right.contentStems)
        guard !first.isEmpty, !second.isEmpty else { return 0 }
        return Double(first.intersection(second).count) / Double(min(first.count, second.count))
    }

    /// The same product of one merchant: near-same titles, the same start where there is one, the same town.
    static func isSameProduct(_ left: Offer, _ right: Offer, overlap threshold: Double) -> Bool {
        guard left.candidate.type == right.candidate.type, left.candidate.startsAt == right.candidate.startsAt,
            left.candidate.location?.city == right.candidate.location?.city
        else { return false }
        return overlap(left.words.title, right.words.title) >= threshold
    }

    /// Two offers that a person would call the same present: never both on the table.
    static func isNearDuplicate(_ left: Offer, _ right: Offer) -> Bool {
        left.candidate.type == right.candidate.type && overlap(left.words.title, right.words.title) >= 0.6
    }
}

extension Sameness {
    /// Titles that name the same thing, one perhaps at greater length: most of the shorter's words, and at least two.
    static func isSameTitle(_ left: TokenizedText, _ right: TokenizedText, share: Double) -> Bool {
        let first = Set(left.contentStems)
        let second = Set(right.contentStems)
        let shared = first.intersection(second).count
        let shorter = min(first.count, second.count)
        if first == second, !first.isEmpty { return true }
        return shorter >= 2 && shared >= 2 && Double(shared) >= share * Double(shorter)
    }
}
