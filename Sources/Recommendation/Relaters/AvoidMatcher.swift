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
        var values: [Double] = []
        values.reserveCapacity(phrases.count * index.offers.count)
        for offer in index.offers {
            let words = Words(offer)
            for list in alternatives {
                values.append(list.reduce(0) { max($0, certainty(that: words, is: $1)) })
            }
        }
        return values
    }

    /// The words of an offer as they are asked for here.
    private struct Words {
        let all: Set<String>
        let head: Set<String>
        let isService: Bool

        init(_ offer: Offer) {
            head = Set(offer.words.title.contentStems + offer.words.tags.contentStems)
            all = head.union(offer.words.body.contentStems)
            isService = !all.isDisjoint(with: AvoidMatcher.services)
        }
    }

    /// What is done to a thing one has, rather than the thing itself.
    private static let services: Set<String> = Set(
        "repair restore restoration service servicing overhaul cleaning sharpen sharpening resole maintenance tune alignment replacement refill mend"
            .split(separator: " ").map { Stemmer.stem(String($0)) })

    /// Without the thing itself there is no match; with it, the share of the narrowing words that are there counts, and a
    /// wrapping a little.
    private func certainty(that words: Words, is thing: AvoidPhrase) -> Double {
        guard words.all.contains(thing.head) else { return 0 }
        let place = words.head.contains(thing.head) ? 1.0 : 0.6
        let own = index.weight(of: thing.head)
        var total = own
        var found = own
        for stem in thing.narrowing {
            total += index.weight(of: stem)
            if words.all.contains(stem) { found += index.weight(of: stem) }
        }
        var certainty = place * found / total
        if !thing.wrapping.isEmpty, !thing.wrapping.contains(where: words.all.contains) { certainty *= 0.8 }
        if thing.isAcquisition, words.isService { certainty *= 0.4 }
        return certainty
    }
}
