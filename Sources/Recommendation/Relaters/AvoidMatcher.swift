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
    func table(for phrases: [String]) -> [Double] {
        let alternatives = phrases.map(AvoidPhrase.alternatives)
        let stems = index.offers.map { offer in
            (all: Set(offer.words.all.contentStems), head: Set(offer.words.title.contentStems + offer.words.tags.contentStems))
        }
        var values: [Double] = []
        values.reserveCapacity(phrases.count * stems.count)
        for offer in stems {
            for list in alternatives {
                values.append(list.reduce(0) { max($0, certainty(that: offer.all, offer.head, is: $1)) })
            }
        }
        return values
    }

    /// Without the thing itself there is no match; with it, the share of the narrowing words that are there counts.
    private func certainty(that all: Set<String>, _ head: Set<String>, is thing: AvoidPhrase) -> Double {
        guard all.contains(thing.head) else { return 0 }
        let place = head.contains(thing.head) ? 1.0 : 0.6
        guard !thing.narrowing.isEmpty else { return place }
        let total = thing.narrowing.reduce(index.weight(of: thing.head)) { $0 + index.weight(of: $1) }
        let found = thing.narrowing.reduce(index.weight(of: thing.head)) { sum, stem in
            sum + (all.contains(stem) ? index.weight(of: stem) : 0)
        }
        return place * found / total
    }
}
