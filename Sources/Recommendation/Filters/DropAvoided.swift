import KnotDomain
package import StageGraph

/// Drops what a hint rules out, always measured against what the same offer serves: a sourdough kit is near "no cakes"
/// and nearer to "whole-grain sourdough".
package struct DropAvoided: FilterStage {
    package static let kind = "filter.avoids"
    package static let summary = "Drops what the hints rule out, relative to what the same offer serves."
    static let relatedness = InputPort<Relatedness>("relatedness")
    package static let inputs = [relatedness.declaration]

    static let threshold = Parameter<Double>(
        "threshold",
        default: 0.65,
        in: 0...1,
        "How surely an offer must be what is ruled out."
    )
    static let relief = Parameter<Double>(
        "relief",
        default: 0.8,
        in: 0...2,
        "How much of what an offer serves is held against what it offends."
    )
    package static let parameters = [threshold.declaration, relief.declaration]

    private let threshold: Double
    private let relief: Double

    package init(_ parameters: ParameterValues) {
        threshold = parameters[Self.threshold]
        relief = parameters[Self.relief]
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Relatedness {
        try inputs.value(Self.relatedness)
    }

    package func verdict(on item: Offer, given facts: Relatedness) throws(StageFailure) -> FilterVerdict {
        let offence = facts.avoids.strongest(for: item.itemID)
        guard let offence, offence.nearness >= threshold else { return .keep }
        let service = facts.serves.strongest(for: item.itemID, among: .serving)
        guard offence.nearness > relief * (service?.nearness ?? 0) else { return .keepFlagged(["near_avoided"]) }
        return .drop(reason: "avoided", evidence: offence.phrase.hint.map { "hint \($0)" } ?? "vault")
    }
}
