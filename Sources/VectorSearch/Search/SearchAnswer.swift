/// What a search found.
package struct SearchAnswer: Sendable, Equatable {
    /// For each query its matches, best first, equal scores by row.
    package let matches: [[Match]]
    package let effort: SearchEffort

    /// One answer from answers over different rows.
    static func merged(_ parts: [SearchAnswer], limit: Int) -> SearchAnswer {
        guard let first = parts.first else { return SearchAnswer(matches: [], effort: SearchEffort()) }
        return parts.dropFirst().reduce(first) { whole, part in
            SearchAnswer(
                matches: zip(whole.matches, part.matches).map { merged($0, $1, limit: limit) },
                effort: whole.effort + part.effort
            )
        }
    }

    private static func merged(_ left: [Match], _ right: [Match], limit: Int) -> [Match] {
        var result: [Match] = []
        let count = min(limit, left.count + right.count)
        result.reserveCapacity(count)
        var (fromLeft, fromRight) = (0, 0)
        while result.count < count {
            let takesLeft =
                fromRight == right.count
                || fromLeft < left.count && Match.precedes(left[fromLeft], right[fromRight])
            result.append(takesLeft ? left[fromLeft] : right[fromRight])
            if takesLeft { fromLeft += 1 } else { fromRight += 1 }
        }
        return result
    }
}
