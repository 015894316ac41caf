import KnotDomain
import TextEncoding

/// Items of a catalogue made ready to be searched by words.
struct CatalogueIndex: Sendable {
    let candidates: [Candidate]
    private let words: BM25

    /// The title counts most, then the tags, then what else is said.
    init(_ candidates: [Candidate]) {
        self.candidates = candidates
        words = BM25(
            fields: candidates.map { candidate in
                [
                    BM25.Field(TokenizedText(candidate.title).contentPrints, times: 3),
                    BM25.Field(TokenizedText(fields: candidate.tags).contentPrints, times: 2),
                    BM25.Field(
                        TokenizedText(
                            fields: [candidate.merchant, candidate.description].compactMap { $0 },
                            limit: Self.mostWords
                        ).contentPrints
                    ),
                ]
            }
        )
    }

    private static let mostWords = 400

    /// For each phrase the places of the items that share a word with it, the best first and equal ones in order.
    func rankings(for phrases: [String]) -> [[Int]] {
        phrases.map { phrase in
            let scores = words.normalizedScores(ofPrints: TokenizedText(phrase).contentPrints)
            return scores.indices.filter { scores[$0] > 0 }
                .sorted { (scores[$1], $0) < (scores[$0], $1) }
        }
    }
}
