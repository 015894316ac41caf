import StageGraph

/// One summand of a score: what a scorer said, what its opinion weighs, and what that adds.
package struct ScoreSummand: Sendable, Equatable {
    package let name: String
    /// The scorer's own value; nil when it had no opinion or when no scorer has this name.
    package let value: Double?
    /// Nil where the combiner does not multiply a value by a weight.
    package let weight: Double?
    /// What it adds to the score.
    package let part: Double
    /// True for a scorer that had no opinion; what it then counts as is the combiner's business.
    package let isSilent: Bool
}

extension ScoreSummand {
    /// The summands of one total in its order, each with its scorer's value where that explains the part.
    static func all(of total: Total, item: ItemID, weights: [String: Double], columns: [NodeID: ScoreColumn]) -> [Self]
    {
        total.parts.map { part in
            ScoreSummand(
                name: part.name,
                value: columns[NodeID(part.name)]?[item]?.value,
                weight: weights[part.name],
                part: part.value,
                isSilent: columns[NodeID(part.name)].map { $0[item] == nil } ?? false
            )
        }
    }

    /// The weights a combiner used, read off the ranking itself: only where part and value have the same ratio for all.
    static func weights(in ranking: Ranking<Offer>, columns: [NodeID: ScoreColumn]) -> [String: Double] {
        var weights: [String: Double] = [:]
        var crooked: Set<String> = []
        for entry in ranking.entries {
            for part in entry.total.parts {
                guard let value = columns[NodeID(part.name)]?[entry.item.itemID]?.value, value.isFinite else {
                    continue
                }
                guard abs(value) > 1e-6 else {
                    // Zero times any weight is zero; anything else means that it is no product.
                    if abs(part.value) > 1e-9 { crooked.insert(part.name) }
                    continue
                }
                let ratio = part.value / value
                if let known = weights[part.name], abs(known - ratio) > 1e-6 * max(1, abs(known)) {
                    crooked.insert(part.name)
                } else {
                    weights[part.name] = weights[part.name] ?? ratio
                }
            }
        }
        return weights.filter { !crooked.contains($0.key) }
    }
}
