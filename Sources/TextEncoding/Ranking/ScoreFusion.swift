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
