package import KnotDomain
package import StageGraph
import TextEncoding

/// How near each phrase is to each offer, from 0 (nothing in common) to 1 (the very thing).
package struct PhraseTable: Sendable {
    package let phrases: [HintDigest.Phrase]
    /// The hints that have phrases here, each once.
    package let hints: [HintID]
    /// What a loop over thousands of cells needs of each phrase, without touching its texts.
    package let marks: [Mark]
    private let rows: ItemRows
    /// Row by row, one column for each phrase.
    private let values: [Double]

    /// A phrase as numbers.
    package struct Mark: Sendable {
        /// The place of its hint in `hints`, or -1 for the vault as a whole.
        package let hint: Int
        package let weight: Double
        package let isOwnWords: Bool
        let isStrict: Bool
    }

    /// Which phrases a question is about.
    package enum Scope: Sendable {
        case all
        /// Those of the vault as a whole.
        case vault
        /// Those that serve a hint, its own words aside.
        case serving
        /// Those by which one hint, by its place in `hints`, rules out what would do harm.
        case strict(Int)
    }

    /// The places in `hints` of those that rule out what would do harm.
    let strictHints: [Int]

    init(phrases: [HintDigest.Phrase], items: [ItemID], values: [Double]) {
        self.init(phrases: phrases, rows: ItemRows(items), values: values)
    }

    init(phrases: [HintDigest.Phrase], rows: ItemRows, values: [Double]) {
        precondition(values.count == phrases.count * rows.count, "a table needs one value for each item and phrase")
        self.phrases = phrases
        var hints: [HintID] = []
        var places: [HintID: Int] = [:]
        marks = phrases.map { phrase in
            var place = -1
            // A hint's phrases mostly stand together.
            if let hint = phrase.hint, hint == hints.last {
                place = hints.count - 1
            } else if let hint = phrase.hint {
                place = places[hint] ?? hints.count
                places[hint] = place
                if place == hints.count { hints.append(hint) }
            }
            return Mark(hint: place, weight: phrase.weight, isOwnWords: phrase.isOwnWords, isStrict: phrase.isStrict)
        }
        strictHints = Set(marks.lazy.filter(\.isStrict).map(\.hint)).sorted()
        self.hints = hints
        self.rows = rows
        self.values = values
    }

    /// The nearness of every phrase to one item, in the order of the phrases; empty for an unknown item.
    package func nearness(of item: ItemID) -> ArraySlice<Double> {
        guard let row = rows[item] else { return [] }
        return values[row * phrases.count..<(row + 1) * phrases.count]
    }

    /// The phrase an item is nearest to, some aside by their places, the first of equals; nil when it is near none.
    package func strongest(
        for item: ItemID,
        among scope: Scope = .all,
        but spared: [Int] = []
    ) -> (phrase: HintDigest.Phrase, nearness: Double)? {
        let nearness = nearness(of: item)
        var best = (column: -1, nearness: 0.0)
        for column in marks.indices where column < nearness.count {
            let value = nearness[nearness.startIndex + column]
            if value > best.nearness, contains(marks[column], scope), !spared.contains(column) {
                best = (column, value)
            }
        }
        return best.column < 0 ? nil : (phrases[best.column], best.nearness)
    }

    /// How near an item is to the nearest of these phrases.
    func most(of columns: [Int], for item: ItemID) -> Double {
        let nearness = nearness(of: item)
        return nearness.isEmpty ? 0 : columns.reduce(0) { max($0, nearness[nearness.startIndex + $1]) }
    }

    /// Whether there is any phrase to be near to.
    package func hasPhrases(among scope: Scope) -> Bool { marks.contains { contains($0, scope) } }

    private func contains(_ mark: Mark, _ scope: Scope) -> Bool {
        switch scope {
        case .all: true
        case .vault: mark.hint < 0
        case .serving: mark.hint >= 0 && !mark.isOwnWords
        case .strict(let place): mark.hint == place && mark.isStrict
        }
    }
}

/// In which row of a pool's tables an item stands, found once for all tables of the pool.
struct ItemRows: Sendable {
    let count: Int
    private let table: ItemTable
    /// The row of each item, by its number.
    private let rows: [Int]

    init(_ items: [ItemID]) {
        var table = ItemTable(capacity: items.count)
        var rows: [Int] = []
        rows.reserveCapacity(items.count)
        for (row, item) in items.enumerated() where table.insert(item).isNew { rows.append(row) }
        count = items.count
        self.table = table
        self.rows = rows
    }

    subscript(item: ItemID) -> Int? { table[item].map { rows[$0] } }
}

/// The words of a pool's offers, indexed once: how much of a phrase each offer covers, rare words counting most.
///
/// A word in a title or a tag says what a thing is; the same word deep in a description may be an aside. So titles are
/// read three times and tags twice, which BM25's saturation turns into a mild preference.
struct LexicalIndex {
    let offers: [Offer]
    private let ranking: BM25

    init(_ offers: [Offer]) {
        self.offers = offers
        ranking = BM25(
            fields: offers.map { offer in
                [
                    BM25.Field(offer.words.titleFingerprints, times: 3),
                    BM25.Field(offer.words.tagFingerprints, times: 2),
                    BM25.Field(offer.words.bodyFingerprints),
                ]
            },
            weights: .shared
        )
    }

    /// The offers that have the word with this fingerprint, by their places.
    func holders(of stem: UInt64) -> [Int] { ranking.holders(of: stem) }

    /// How telling a word is in this pool.
    func weight(of stem: UInt64) -> Double { ranking.weight(of: stem) }

    /// For each offer, row by row, how much of each phrase's stems, given as fingerprints, it covers, 0 to 1.
    func coverage(of phrases: [[UInt64]]) -> [Double] {
        var values = [Double](repeating: 0, count: offers.count * phrases.count)
        for (column, stems) in phrases.enumerated() {
            for (row, score) in ranking.normalizedScores(ofFingerprints: stems).enumerated() where score > 0 {
                values[row * phrases.count + column] = score
            }
        }
        return values
    }
}
