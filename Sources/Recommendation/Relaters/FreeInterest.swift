import KnotDomain
import TextEncoding

/// An interest in the user's own words: it shows where all of its content words do.
struct FreeInterest {
    private let name: String
    private let stems: [String]

    init(_ interest: Interest) {
        name = interest.name
        stems = TokenizedText(interest.name, limit: 12).contentStems
    }

    func sign(in offer: Offer) -> TasteSigns.Sign? {
        guard !stems.isEmpty else { return nil }
        let head = Set(offer.words.title.contentStems + offer.words.tags.contentStems)
        if stems.allSatisfy(head.contains) { return TasteSigns.Sign(clarity: .evident, words: name) }
        let all = Set(offer.words.all.contentStems)
        return stems.allSatisfy(all.contains) ? TasteSigns.Sign(clarity: .mentioned, words: name) : nil
    }
}
