import TextEncoding
import TextReading

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
    func table(for phrases: [HintDigest.Phrase]) -> [Double] {
        table(for: phrases, in: index.offers.map(\.words.said), holders: index.holders)
    }

    /// The same for some offers by all that they say, of which no index knows.
    func table(for phrases: [HintDigest.Phrase], in words: [SpokenWords]) -> [Double] {
        table(for: phrases, in: words) { head in words.indices.filter { words[$0].allSet.contains(head) } }
    }

    /// Things are found by the word that names them, so that an offer is held only against what it could be.
    private func table(
        for phrases: [HintDigest.Phrase],
        in words: [SpokenWords],
        holders: (UInt64) -> [Int]
    ) -> [Double] {
        var values = [Double](repeating: 0, count: phrases.count * words.count)
        for (number, phrase) in phrases.enumerated() {
            let isList = phrase.isList
            for thing in phrase.things {
                let rows = holders(thing.head).filter { !isList || thing.isWhole(in: words[$0]) }
                if rows.isEmpty { continue }
                let weights = thing.narrowing.map { index.weight(of: $0) }
                let isNarrow = !phrase.isStrict && thing.mayBeSpared
                for row in rows {
                    let place = row * phrases.count + number
                    if phrase.isSpared(words[row], naming: thing.head) || isNarrow && thing.spares(words[row]) {
                        continue
                    }
                    let certainty = certainty(that: words[row], is: thing, weights, isStrict: phrase.isStrict)
                    values[place] = max(values[place], certainty)
                }
            }
        }
        return values
    }

    /// The share of the narrowing words that are there counts, and a wrapping a little; a thing that is only mentioned is
    /// less surely what is offered, which is no comfort to whom it would harm.
    private func certainty(
        that offer: SpokenWords,
        is thing: AvoidPhrase,
        _ weights: [Double],
        isStrict: Bool
    ) -> Double {
        let words = offer.allSet
        if offer.absence.denied.contains(thing.head) { return 0 }
        // Butter of peanuts is no butter, except where it is what the phrase names.
        let isNamed = !thing.narrowing.isEmpty && thing.narrowing.allSatisfy(words.contains)
        if !isNamed, offer.absence.absent.contains(thing.head) { return 0 }
        let place = isStrict || offer.headSet.contains(thing.head) ? 1.0 : 0.6
        let own = index.weight(of: thing.head)
        var (total, found) = (own, own)
        for (stem, weight) in zip(thing.narrowing, weights) {
            total += weight
            if words.contains(stem), !offer.absence.denied.contains(stem) { found += weight }
        }
        var certainty = place * found / total
        if !thing.wrapping.isEmpty, !thing.wrapping.contains(where: words.contains) { certainty *= 0.8 }
        return certainty
    }
}

extension HintDigest.Phrase {
    /// The things that the phrase rules out: of "wool sweaters and scarves", scarves of wool.
    fileprivate var things: [AvoidPhrase] {
        var things = reading.things
        if harms.isEmpty { return things }
        for (place, next) in zip(things.indices.dropFirst(), things.dropFirst()) where next.narrowing.isEmpty {
            let matter = harms.words(among: things[place - 1].narrowing)
            if !matter.isEmpty, harms.words(among: [next.head]).isEmpty { things[place] = next.narrowed(by: matter) }
        }
        return things
    }

    /// The things that it names, if each of them may spare an offer: what goes by meaning is held against them as well.
    var sparing: [AvoidPhrase] {
        let things = isStrict ? [] : reading.things
        return things.allSatisfy(\.mayBeSpared) ? things : []
    }

    /// Whether an offer is called what the harmed may have, or has the word for its look alone.
    fileprivate func isSpared(_ offer: SpokenWords, naming stem: UInt64) -> Bool {
        !harms.isEmpty && (harms.areLacked(by: offer) || harms.isMereLook(stem, of: offer))
    }

    /// The same whatever it names.
    func isSpared(_ offer: SpokenWords) -> Bool {
        !harms.isEmpty && (harms.areLacked(by: offer) || harms.areMereWords(in: offer))
    }
}
