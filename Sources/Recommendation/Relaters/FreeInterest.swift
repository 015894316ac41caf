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
        if stems.allSatisfy(offer.words.headSet.contains) { return TasteSigns.Sign(clarity: .evident, words: name) }
        return stems.allSatisfy(offer.words.allSet.contains) ? TasteSigns.Sign(clarity: .mentioned, words: name) : nil
    }
}
