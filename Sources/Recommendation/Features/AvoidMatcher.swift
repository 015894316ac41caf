import TextEncoding

/// How surely an offer is what an avoid phrase rules out, by words.
///
/// "Cakes, candy and frosted bakery boxes" names three things: any one of them is enough, and of each its last word is
/// the thing itself while the others only narrow it down.
struct AvoidMatcher {
    private let index: LexicalIndex

    init(_ index: LexicalIndex) {
        self.index = index
    }

    /// For each offer, row by row, one value for each phrase.
    ///
    /// Things are found by the word that names them, so that an offer is held only against what it could be.
    func table(for phrases: [String]) -> [Double] {
        let services = Self.services
        var values = [Double](repeating: 0, count: phrases.count * index.offers.count)
        var reader = TokenizedText.Reader(limit: AvoidPhrase.wordLimit)
        for (number, phrase) in phrases.enumerated() {
            for thing in AvoidPhrase.alternatives(phrase, by: &reader) {
                let rows = index.holders(of: thing.head)
                if rows.isEmpty { continue }
                let weights = thing.narrowing.map { index.weight(of: $0) }
                for row in rows {
                    let place = row * phrases.count + number
                    let certainty = certainty(that: index.offers[row], is: thing, weights, services)
                    values[place] = max(values[place], certainty)
                }
            }
        }
        return values
    }

    /// What is done to a thing one has, rather than the thing itself.
    private static let services = StemSet(
        "repair restore restoration service servicing overhaul cleaning sharpen sharpening resole maintenance tune alignment replacement refill mend"
            .split(separator: " ").map { Stemmer.stem(String($0)) }
    )

    /// The share of the narrowing words that are there counts, and a wrapping a little; a thing that is only mentioned is
    /// less surely what is offered.
    private func certainty(
        that offer: Offer,
        is thing: AvoidPhrase,
        _ weights: [Double],
        _ services: StemSet
    ) -> Double {
        let place = offer.words.headSet.contains(thing.head) ? 1.0 : 0.6
        let own = index.weight(of: thing.head)
        let words = offer.words.allSet
        var total = own
        var found = own
        for (stem, weight) in zip(thing.narrowing, weights) {
            total += weight
            if words.contains(stem) { found += weight }
        }
        var certainty = place * found / total
        if !thing.wrapping.isEmpty, !thing.wrapping.contains(where: words.contains) { certainty *= 0.8 }
        if thing.isAcquisition, words.sharedCount(with: services) > 0 { certainty *= 0.4 }
        return certainty
    }
}
