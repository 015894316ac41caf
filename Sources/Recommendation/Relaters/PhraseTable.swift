import KnotDomain
package import StageGraph

/// How near each phrase is to each offer, from 0 (nothing in common) to 1 (the very thing).
package struct PhraseTable: Sendable {
    package let phrases: [HintDigest.Phrase]
    private let rows: [ItemID: Int]
    /// Row by row, one column for each phrase.
    private let values: [Double]

    init(phrases: [HintDigest.Phrase], items: [ItemID], values: [Double]) {
        precondition(values.count == phrases.count * items.count, "a table needs one value for each item and phrase")
        self.phrases = phrases
        rows = Dictionary(items.enumerated().map { ($1, $0) }) { first, _ in first }
        self.values = values
    }

    /// The nearness of every phrase to one item, in the order of the phrases; empty for an unknown item.
    package func nearness(of item: ItemID) -> ArraySlice<Double> {
        guard let row = rows[item] else { return [] }
        return values[row * phrases.count..<(row + 1) * phrases.count]
    }
}

extension PhraseTable {
    /// The phrase an item is nearest to, among those that fit.
    package func strongest(
        for item: ItemID,
        where fits: (HintDigest.Phrase) -> Bool
    ) -> (phrase: HintDigest.Phrase, nearness: Double)? {
        var best: (phrase: HintDigest.Phrase, nearness: Double)?
        for (phrase, nearness) in zip(phrases, nearness(of: item)) where fits(phrase) {
            if nearness > best?.nearness ?? 0 { best = (phrase, nearness) }
        }
        return best
    }
}
