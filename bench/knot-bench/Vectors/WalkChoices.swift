import CMachineLimits

/// The way of walking through memory that reads it fastest, by level of memory and threads.
final class WalkChoices {
    private struct Place: Hashable {
        let limit: Limit
        let threads: Int
    }

    private var known: [Place: knot_limit_walk] = [:]

    /// The ways take turns; the one with the best median is remembered.
    func best(of limit: Limit, threads: Int, _ rate: (knot_limit_walk) -> Double) -> knot_limit_walk {
        let place = Place(limit: limit, threads: threads)
        if let walk = known[place] { return walk }
        let walks = [KNOT_LIMIT_ONE_STREAM, KNOT_LIMIT_ONE_STREAM_AHEAD, KNOT_LIMIT_FOUR_STREAMS]
        var rates = [[Double]](repeating: [], count: walks.count)
        for _ in 0..<11 {
            for (index, walk) in walks.enumerated() { rates[index].append(rate(walk)) }
        }
        let medians = rates.map { Statistics.median($0) ?? 0 }
        let best = medians.indices.max { medians[$0] < medians[$1] } ?? 0
        known[place] = walks[best]
        return walks[best]
    }
}
