/// A row that a search found.
package struct Match: Sendable, Hashable {
    package let row: Int
    /// The canonical cosine with the query: the same bits from every kind of kernels and every number of threads.
    package let score: Float

    package init(row: Int, score: Float) {
        self.row = row
        self.score = score
    }

    /// Higher scores first, equal ones by row.
    static func precedes(_ left: Match, _ right: Match) -> Bool {
        left.score != right.score ? left.score > right.score : left.row < right.row
    }
}
