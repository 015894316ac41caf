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
        let services = index.offers.map { $0.words.allSet.sharedCount(with: Self.services) > 0 }
        var values = [Double](repeating: 0, count: phrases.count * index.offers.count)
        for (number, phrase) in phrases.enumerated() {
            for thing in AvoidPhrase.alternatives(phrase) {
                for row in index.holders(of: thing.head) {
                    let words = index.offers[row].words
                    let place = row * phrases.count + number
                    values[place] = max(values[place], certainty(that: words, isService: services[row], is: thing))
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
    private func certainty(that words: OfferWords, isService: Bool, is thing: AvoidPhrase) -> Double {
        let place = words.headSet.contains(thing.head) ? 1.0 : 0.6
        let own = index.weight(of: thing.head)
        var total = own
        var found = own
        for stem in thing.narrowing {
            total += index.weight(of: stem)
            if words.allSet.contains(stem) { found += index.weight(of: stem) }
        }
        var certainty = place * found / total
        if !thing.wrapping.isEmpty, !thing.wrapping.contains(where: words.allSet.contains) { certainty *= 0.8 }
        if thing.isAcquisition, isService { certainty *= 0.4 }
        return certainty
    }
}
