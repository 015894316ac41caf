/// Ranks texts for a query by words alone: BM25 over stems, the title read three times and the tags twice.
///
/// Function words count here: how rare a word is in the collection says how much it matters, and in short sentences "how
/// do I" and "what is my" tell one wish from another.
package struct WordRanking: Sendable {
    private let ranking: BM25

    /// Reads at most `limit` words of each text's body.
    package init(_ texts: [FieldedText], limit: Int = 400) {
        ranking = BM25(
            fields: texts.map { text in
                [
                    BM25.Field(Self.prints(TokenizedText(text.title, limit: limit)), times: 3),
                    BM25.Field(Self.prints(TokenizedText(fields: text.tags, limit: limit)), times: 2),
                    BM25.Field(Self.prints(TokenizedText(fields: text.body, limit: limit))),
                ]
            }
        )
    }

    /// One score for each text, in their order; 0 where it shares no word with the query.
    package func scores(for query: String) -> [Double] {
        ranking.scores(ofPrints: Self.prints(TokenizedText(query, limit: Self.mostQueryWords)))
    }

    /// The same for the query's content words only, so that what scores above 0 shares more than an "of" or a "for".
    package func scores(forContentOf query: String) -> [Double] {
        ranking.scores(ofPrints: TokenizedText(query, limit: Self.mostQueryWords).contentPrints)
    }

    private static let mostQueryWords = 64

    private static func prints(_ text: TokenizedText) -> [UInt64] { text.words.map(\.stem) }
}
