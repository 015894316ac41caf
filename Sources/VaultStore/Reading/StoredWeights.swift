package import KnotDomain

/// What feedback has taught of one vault.
package struct StoredWeights: Sendable, Hashable {
    /// By factor, 1 where nothing is known.
    package let weights: [String: Double]
    package let revision: Int
    package let signalCount: Int
    package let halfLifeDays: Double
    /// The moment the decay was reckoned at.
    package let asOf: Instant

    /// As the stages take it; nil where no factor's weight was learned.
    var taste: LearnedTaste? {
        guard !weights.isEmpty else { return nil }
        return LearnedTaste(weights: weights, signalCount: signalCount, halfLifeDays: halfLifeDays, asOf: asOf)
    }
}
