package import KnotDomain
import TextEncoding
import TextReading

/// The hints in order of weight, and the phrases that later stages search and filter with.
package struct HintDigest: Sendable {
    /// One hint with what it means and how much it steers this run.
    package struct RankedHint: Sendable {
        package let hint: Hint
        package let reading: HintReading
        /// 0 to 1.
        package let weight: Double
        /// The words of the hint's own text.
        let words: TokenizedText
        /// The phrases that serve it, in their order.
        let serving: [PhraseReading]
        /// Their content stems, as fingerprints.
        var serveStems: [[UInt64]] { serving.map(\.stems) }
    }

    /// A short text to look for, and the hint it comes from; nil for the vault as a whole.
    package struct Phrase: Sendable, Hashable {
        package let text: String
        package let weight: Double
        package let hint: HintID?
        /// The hint's own text: private, matched but never sent or shown.
        package let isOwnWords: Bool
        /// Content stems of what would serve, as fingerprints; empty for what is ruled out, which is matched thing by thing.
        let stems: [UInt64]
        /// Of what is ruled out: it would do harm, so that a mention is enough and no other wish outweighs it.
        let isStrict: Bool
        /// The harms that it is about, as far as they are anybody's limit.
        let harms: HarmSet
        /// Of a remedy of such harm: what an offer must say of itself to be one, "nut-free" or "vegan".
        let condition: RemedyCondition?

        /// Whether it lists everything that is one of its harms: nothing means all of them, so that it goes by words alone.
        let isList: Bool
        /// What it comes to, except for a hint's own text.
        let reading: PhraseReading

        init(
            text: String,
            weight: Double,
            hint: HintID?,
            isOwnWords: Bool = false,
            stems: [UInt64] = [],
            isStrict: Bool = false,
            harms: HarmSet = .none,
            condition: RemedyCondition? = nil,
            reading: PhraseReading? = nil
        ) {
            isList = !harms.isEmpty && text == harms.kinds
            self.reading = reading ?? (isOwnWords ? .none : .of(text))
            self.isStrict = isStrict
            self.harms = harms
            self.condition = condition
            self.text = text
            self.weight = weight
            self.hint = hint
            self.isOwnWords = isOwnWords
            self.stems = stems
        }
    }

    /// By descending weight, ties by id.
    package let ranked: [RankedHint]
    package let serves: [Phrase]
    package let avoids: [Phrase]
}

extension [HintDigest.Phrase] {
    /// Whether a wish of a hint names an offer, and more exactly than what is ruled out does: a bike helmet where no bike is
    /// wanted, and a snow globe where only meaning is near to skiing.
    func ask(for offer: Offer, inSpiteOf ruled: HintDigest.Phrase? = nil) -> Bool {
        let words = offer.words.said
        let named = ruled?.reading.things.filter { words.allSet.contains($0.head) } ?? []
        return contains { wish in
            wish.hint != nil && !wish.isOwnWords && wish.stems.allSatisfy(words.headSet.contains)
                && wish.stems.contains { GiftKind.isTelling($0, ofGift: true) }
                && named.allSatisfy { thing in
                    let stems = Set([thing.head] + thing.narrowing)
                    return stems.isStrictSubset(of: wish.stems)
                }
        }
    }
}
