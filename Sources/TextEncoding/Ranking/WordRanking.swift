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

    /// The customary constant: the first of a list is worth little more than the tenth.
    package static let usualDamping = 60.0

    /// The sum of 1 / (damping + rank) over the lists; equal scores share the mean of their ranks.
    package static func reciprocalRanks(_ lists: [[Double]], damping: Double = usualDamping) -> [Double] {
        guard let count = lists.first?.count else { return [] }
        precondition(lists.allSatisfy { $0.count == count }, "scores of different items were to be added")
        var sums = [Double](repeating: 0, count: count)
        for list in lists {
            let order = list.indices.sorted { (list[$1], $0) < (list[$0], $1) }
            var start = 0
            while start < count {
                var end = start + 1
                while end < count, list[order[end]] == list[order[start]] { end += 1 }
                // The ranks start + 1 to end.
                let rank = Double(start + 1 + end) / 2
                for place in order[start..<end] { sums[place] += 1 / (damping + rank) }
                start = end
            }
        }
        return sums
    }
}
