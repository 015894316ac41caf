import TextEncoding

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
                    BM25.Field(offer.words.titlePrints, times: 3), BM25.Field(offer.words.tagPrints, times: 2),
                    BM25.Field(offer.words.bodyPrints),
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
            for (row, score) in ranking.normalizedScores(ofPrints: stems).enumerated() where score > 0 {
                values[row * phrases.count + column] = score
            }
        }
        return values
    }
}
