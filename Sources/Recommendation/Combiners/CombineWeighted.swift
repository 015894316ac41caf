package import StageGraph

/// Adds the scorers' contributions up, each times its weight; who has no opinion counts as ordinary, not as bad.
package struct CombineWeighted: CombineStage {
    package typealias Item = Offer
    package static let kind = "combine.weighted"
    package static let summary = "Adds the contributions up, each times its weight."

    /// The scorers a weight can be given to, by their nodes' names.
    static let weights: [Parameter<Double>] = [
        weight("hints", 0.6), weight("themes", 0.1), weight("clearance", 0.06), weight("interests", 0.08),
        weight("vibes", 0.05),
        weight("love_languages", 0.05), weight("budget", 0.04), weight("occasion", 0.01), weight("timing", 0.02),
        weight("place", 0.02), weight("quality", 0.03), weight("novelty", 0.01), weight("learned", 0.01),
    ]
    static let ordinary = Parameter<Double>(
        "ordinary",
        default: 0.5,
        in: 0...1,
        "What a scorer that has no opinion counts as."
    )
    package static let parameters = weights.map(\.declaration) + [ordinary.declaration]

    private static func weight(_ name: String, _ value: Double) -> Parameter<Double> {
        Parameter(name, default: value, in: 0...1, "Weight of the scorer \(name).")
    }

    private let weights: [String: Double]
    private let ordinary: Double

    package init(_ parameters: ParameterValues) throws(ParameterError) {
        let weights = Dictionary(uniqueKeysWithValues: Self.weights.map { ($0.name, parameters[$0]) })
        let sum = weights.values.sorted().reduce(0, +)
        guard sum > 0 else { throw ParameterError(parameter: "hints", message: "at least one weight must be above 0") }
        // Scores stay in 0...1 whatever the weights are.
        self.weights = weights.mapValues { $0 / sum }
        ordinary = parameters[Self.ordinary]
    }

    package func total(
        of item: Offer,
        from columns: [ScoreColumn],
        _ inputs: StageInputs
    ) throws(StageFailure) -> Total {
        var parts: [Total.Part] = []
        var evidence: [Evidence] = []
        for column in columns {
            guard let weight = weights[column.node.text] else {
                throw StageFailure(.request, code: "no_weight", "scorer \(column.node) has no weight in the combiner")
            }
            let contribution = column[item.itemID]
            parts.append(Total.Part(name: column.node.text, value: weight * (contribution?.value ?? ordinary)))
            evidence += contribution?.evidence ?? []
        }
        return Total(parts: parts, evidence: evidence)
    }
}
