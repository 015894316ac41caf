import KnotDomain
package import StageGraph

/// How well an offer serves what the hints ask for: its best hint, and a little of the second and third.
package struct ScoreHints: ScoreStage {
    package static let kind = "score.hints"
    package static let summary = "Scores how well an offer serves what the hints ask for."
    static let relatedness = InputPort<PhraseSimilarity>("relatedness")
    package static let inputs = [relatedness.declaration]

    static let more = Parameter<Double>(
        "more",
        default: 0.2,
        in: 0...1,
        "Share of the remainder to 1 that each further served hint adds."
    )
    static let breadth = Parameter<Double>(
        "breadth",
        default: 0.25,
        in: 0...1,
        "Share of a hint's nearness that its other phrases decide."
    )
    package static let parameters = [more.declaration, breadth.declaration]

    private let more: Double
    private let breadth: Double

    package init(_ parameters: ParameterValues) {
        more = parameters[Self.more]
        breadth = parameters[Self.breadth]
    }

    package func contribution(of item: Offer, given facts: PhraseSimilarity) throws(StageFailure) -> Contribution? {
        let table = facts.serves
        var served = [(best: Double, second: Double)](repeating: (0, 0), count: table.hints.count)
        for (mark, nearness) in zip(table.marks, table.nearness(of: item.itemID)) where mark.hint >= 0 && nearness > 0 {
            let value = mark.weight * nearness
            let known = served[mark.hint]
            served[mark.hint] = value > known.best ? (value, known.best) : (known.best, max(known.second, value))
        }
        let ranked = served.indices.filter { served[$0].best > 0 }
            .map { place in
                let known = served[place]
                return (hint: table.hints[place], value: known.best + breadth * known.second * (1 - known.best))
            }
            .sorted { ($0.value, $1.hint) > ($1.value, $0.hint) }
            .prefix(3)
        guard let first = ranked.first else { return Contribution(0) }
        let value = ranked.dropFirst().reduce(min(1, first.value)) { $0 + more * min(1, $1.value) * (1 - $0) }
        return Contribution(value, evidence: ranked.map { Evidence(kind: "hint", ref: $0.hint.text, weight: $0.value) })
    }
}
