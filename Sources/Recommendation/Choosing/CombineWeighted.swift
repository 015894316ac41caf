import JSONDocument
package import StageGraph

/// Adds the scorers' contributions up, each times its weight; who has no opinion counts as ordinary, not as bad.
package struct CombineWeighted: CombineStage {
    package typealias Item = Offer
    package static let kind = "combine.weighted"
    package static let summary = "Adds the scores, each multiplied by its weight."

    /// A definition weighs every scorer that it adds up.
    package static let feedParameter: FeedParameter? = weight
    private static let weight = FeedParameter("weight", forEachNodeAt: columns.name, in: 0...1)
    static let ordinary = Parameter<Double>(
        "ordinary",
        default: 0.5,
        in: 0...1,
        "Value of a score that a scorer doesn't give."
    )
    package static let parameters = [ordinary.declaration]

    package static func objections(to setting: StageSetting) -> [StageObjection] {
        let scorers = setting.nodes(at: columns.name)
        guard !scorers.isEmpty, scorers.allSatisfy({ setting.parameters[weight.parameter(of: $0)] == 0 }) else {
            return []
        }
        let field = "parameters." + setting.latest(of: scorers.map(\.text))
        return [StageObjection(field, "every scorer has the weight 0: at least one must be above")]
    }

    /// By the scorers' nodes; they add up to 1, so that scores stay in 0...1 whatever the weights are.
    private let weights: [String: Double]
    private let ordinary: Double

    package init(_ parameters: ParameterValues) {
        let weights = parameters.settings.filter { $0.key != Self.ordinary.name }.compactMapValues(\.value.double)
        let sum = weights.values.sorted().reduce(0, +)
        self.weights = weights.mapValues { $0 / sum }
        ordinary = parameters[Self.ordinary]
    }

    /// The weight of each column.
    package func facts(from columns: [ScoreColumn], _ inputs: StageInputs) -> [Double] {
        columns.map { column in
            guard let weight = weights[column.node.text] else {
                preconditionFailure("a plan was made although the scorer \(column.node) has no weight")
            }
            return weight
        }
    }

    package func total(of item: Offer, from columns: [ScoreColumn], given weights: [Double]) -> Total {
        let id = item.itemID
        var parts: [Total.Part] = []
        parts.reserveCapacity(columns.count)
        var evidence: [Evidence] = []
        for (column, weight) in zip(columns, weights) {
            let contribution = column[id]
            parts.append(Total.Part(name: column.node.text, value: weight * (contribution?.value ?? ordinary)))
            if let contribution { evidence += contribution.evidence }
        }
        return Total(parts: parts, evidence: evidence)
    }
}
