package import JSONDocument
package import KnotDomain

/// What one vault's feedback taught, as of a moment.
package struct LearnedWeights: Sendable, Hashable {
    /// By name.
    package let factors: [LearnedFactor]
    /// Signals that said anything.
    package let signalCount: Int
    package let halfLifeDays: Double
    package let asOf: Instant
    /// The newest signal that was counted.
    package let feedbackUntil: Instant?

    /// A factor's weight; 1 where nothing is known.
    package subscript(name: String) -> Double {
        factors.first { $0.name == name }?.weight ?? 1
    }

    package var weights: JSONValue {
        .object(JSONObject(factors.map { JSONObject.Member(name: $0.name, value: .number($0.weight)) }))
    }

    package var reasons: JSONValue { .array(factors.map(\.json)) }
}
