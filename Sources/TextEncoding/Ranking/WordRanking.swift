/// Ranks texts for a query by words alone: BM25 over stems, the title read three times and the tags twice.
///
/// Function words count here: how rare a word is in the collection says how much it matters, and in short sentences "how
/// do I" and "what is my" tell one wish from another. Words of languages whose stems nobody knows here are also ranked by
/// their runs of characters.
package struct WordRanking: Sendable {
    private let ranking: BM25

    /// Reads at most `limit` words of each text's body.
    package init(_ texts: [FieldedText], limit: Int = 400) {
        ranking = BM25(fields: texts.map { Self.fields(of: $0, limit: limit) })
    }

    /// The words of a text as they count, at most `limit` of each field.
    package static func fields(of text: FieldedText, limit: Int) -> [BM25.Field] {
        [
            BM25.Field(fingerprints([text.title], limit: limit), times: 3),
            BM25.Field(fingerprints(text.tags, limit: limit), times: 2),
            BM25.Field(fingerprints(text.body, limit: limit)),
        ]
    }

    /// The words of a query that count: its content words.
    package static func contentFingerprints(of query: String) -> [UInt64] {
        fingerprints([query], limit: mostQueryWords) { !$0.isStopWord }
    }

    /// One score for each text, in their order; 0 where it shares no word with the query.
    package func scores(for query: String) -> [Double] {
        ranking.scores(ofFingerprints: Self.fingerprints([query], limit: Self.mostQueryWords))
    }

    /// The same for the query's content words only, so that what scores above 0 shares more than an "of" or a "for".
    package func scores(forContentOf query: String) -> [Double] {
        ranking.scores(ofFingerprints: Self.contentFingerprints(of: query))
    }

    private static let mostQueryWords = 64

    /// The stems of the words that count, and the pieces of those that have none.
    private static func fingerprints(
        _ fields: [String],
        limit: Int,
        where counts: (WordFingerprint) -> Bool = { _ in true }
    ) -> [UInt64] {
        var scanner = TokenScanner(limit: limit, yield: .fingerprintsAndPieces)
        scanner.reserve(bytes: fields.reduce(0) { $0 + $1.utf8.count + 5 })
        for field in fields where scanner.count < limit { scanner.read(field) }
        var fingerprints: [UInt64] = []
        fingerprints.reserveCapacity(scanner.fingerprints.count + scanner.pieces.count)
        for word in scanner.fingerprints where counts(word) { fingerprints.append(word.stem) }
        return fingerprints + scanner.pieces
    }
}

/// A text in the fields that a ranking by words weighs differently.
package struct FieldedText: Sendable, Hashable {
    package let title: String
    package let tags: [String]
    package let body: [String]

    package init(title: String = "", tags: [String] = [], body: [String] = []) {
        self.title = title
        self.tags = tags
        self.body = body
    }
}

/// Makes one score of several that have no scale in common, such as those of words and of vectors.
package enum ScoreFusion {
    /// The mean of the lists, each stretched to 0...1 first; a list whose scores are all equal adds nothing.
    package static func sum(_ lists: [[Double]]) -> [Double] {
        guard let count = lists.first?.count else { return [] }
        precondition(lists.allSatisfy { $0.count == count }, "scores of different items were to be added")
        var sums = [Double](repeating: 0, count: count)
        for list in lists {
            guard let least = list.min(), let most = list.max(), most > least else { continue }
            for place in list.indices { sums[place] += (list[place] - least) / (most - least) / Double(lists.count) }
        }
        return sums
    }
}
