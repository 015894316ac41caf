package import JSONDocument

/// One factor's learned weight and what moved it.
package struct LearnedFactor: Sendable, Hashable {
    /// One signal's part in it.
    package struct Cause: Sendable, Hashable {
        package let signal: PostgresUUID
        package let value: Double
        /// The share of the signal that this factor had, decayed to the moment of the reckoning.
        package let share: Double
    }

    /// `interest:Hiking`, `vibe:vintage`, `type:gift`, `budget`.
    package let name: String
    /// From 0.5 to 2; 1 where nothing is known.
    package let weight: Double
    /// The decayed mean of the signals, from −1 to 1.
    package let mean: Double
    /// How many whole, fresh signals it is worth.
    package let strength: Double
    package let signalCount: Int
    /// The strongest, at most a few.
    package let causes: [Cause]

    /// One entry of the stored reasons: ids of feedback, never its words.
    package var json: JSONValue {
        [
            "factor": .string(name), "weight": .number(weight), "mean": .number(mean), "strength": .number(strength),
            "signals": .integer(signalCount),
            "because": .array(
                causes.map {
                    [
                        "feedback": .string($0.signal.description), "value": .number($0.value),
                        "share": .number($0.share),
                    ]
                }
            ),
        ]
    }
}
