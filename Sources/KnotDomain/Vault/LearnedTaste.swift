/// What feedback has taught of one vault, as of a moment.
package struct LearnedTaste: Hashable, Sendable {
    /// A weight that can be learned: half as much at the least, twice as much at the most.
    package static let bounds = 0.5...2.0

    /// By factor, such as `interest:Hiking`, `vibe:vintage` or `type:gift`; 1 where nothing is known.
    package let weights: [String: Double]
    package let signalCount: Int
    /// Days after which what was learned counts half.
    package let halfLifeDays: Double
    /// The moment the weights were reckoned at.
    package let asOf: Instant

    /// Weights out of bounds are brought to them.
    package init(weights: [String: Double], signalCount: Int, halfLifeDays: Double, asOf: Instant) {
        self.weights = weights.mapValues { min(Self.bounds.upperBound, max(Self.bounds.lowerBound, $0)) }
        self.signalCount = signalCount
        self.halfLifeDays = halfLifeDays
        self.asOf = asOf
    }
}
