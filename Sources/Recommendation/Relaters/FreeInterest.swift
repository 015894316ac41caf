import KnotDomain
import TextEncoding

/// An interest in the user's own words: it shows where all of its content words do.
struct FreeInterest: Sendable {
    private let name: String
    private let stems: [UInt64]

    init(_ interest: Interest) {
        name = interest.name
        stems = TokenizedText(interest.name, limit: 12).contentPrints
    }

    func sign(in offer: Offer) -> TasteSigns.Sign? {
        guard !stems.isEmpty else { return nil }
        if stems.allSatisfy(offer.words.headSet.contains) { return TasteSigns.Sign(clarity: .evident, words: name) }
        return stems.allSatisfy(offer.words.allSet.contains) ? TasteSigns.Sign(clarity: .mentioned, words: name) : nil
    }
}
