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

    package static func objections(to setting: StageSetting) -> [StageObjection] {
        let scorers = setting.nodes(at: columns.name).map(\.text)
        var objections = scorers.filter { scorer in !weights.contains { $0.name == scorer } }.map { scorer in
            StageObjection(
                "inputs.\(columns.name)",
                "the scorer \"\(scorer)\" has no weight here; those called "
                    + weights.map(\.name).joined(separator: ", ") + " have one"
            )
        }
        let counted = weights.filter { scorers.contains($0.name) }
        if !counted.isEmpty, counted.allSatisfy({ setting.parameters[$0] == 0 }) {
            let field = "parameters." + setting.latest(of: counted.map(\.name))
            objections.append(StageObjection(field, "every scorer has the weight 0: at least one must be above"))
        }
        for weight in weights where !scorers.contains(weight.name) && setting.isSet(weight.name) {
            guard setting.parameters[weight] > 0 else { continue }
            objections.append(
                StageObjection("parameters.\(weight.name)", "no scorer \"\(weight.name)\" feeds it", .warning)
            )
        }
        return objections
    }

    /// In declared order, which is the order the scorers usually come in.
    private let weights: [(name: String, value: Double)]
    private let ordinary: Double

    package init(_ parameters: ParameterValues) throws(ParameterError) {
        let weights = Self.weights.map { (name: $0.name, value: parameters[$0]) }
        let sum = weights.map(\.value).sorted().reduce(0, +)
        guard sum > 0 else { throw ParameterError(parameter: "hints", message: "at least one weight must be above 0") }
        // Scores stay in 0...1 whatever the weights are.
        self.weights = weights.map { ($0.name, $0.value / sum) }
        ordinary = parameters[Self.ordinary]
    }

    package func total(
        of item: Offer,
        from columns: [ScoreColumn],
        _ inputs: StageInputs
    ) throws(StageFailure) -> Total {
        let id = item.itemID
        var parts: [Total.Part] = []
        parts.reserveCapacity(columns.count)
        var evidence: [Evidence] = []
        for (place, column) in columns.enumerated() {
            guard let weight = weight(of: column.node.text, near: place) else {
                throw StageFailure(.stage, code: "no_weight", "scorer \(column.node) has no weight in the combiner")
            }
            let contribution = column[id]
            parts.append(Total.Part(name: column.node.text, value: weight * (contribution?.value ?? ordinary)))
            if let contribution { evidence += contribution.evidence }
        }
        return Total(parts: parts, evidence: evidence)
    }

    private func weight(of scorer: String, near place: Int) -> Double? {
        if place < weights.count, weights[place].name == scorer { return weights[place].value }
        return weights.first { $0.name == scorer }?.value
    }
}
