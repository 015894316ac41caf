import KnotDomain
package import StageGraph

/// The original's interest score: one for each liked category times its learned weight, and half a point for the tag.
package struct ClassicInterests: ScoreStage {
    package static let kind = "classic.interests"
    package static let summary = "One point for each liked category found in the text, half a point for the tag."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> (Brief, ClassicWeights) {
        let brief = try inputs.value(Self.brief)
        return (brief, ClassicWeights(brief.vault))
    }

    package func contribution(
        of item: Offer,
        given facts: (Brief, ClassicWeights)
    ) throws(StageFailure) -> Contribution? {
        var score = 0.0
        var evidence: [Evidence] = []
        let text = ClassicText(of: item)
        for like in facts.0.vault.likes where ClassicMatch.matches(like.name, item, text) {
            score += facts.1.weight(ofInterest: like.name)
            evidence.append(Evidence(kind: "interest", ref: like.name, weight: 1))
        }
        if facts.0.vault.likes.contains(where: { ClassicMatch.isTagged($0.name, item) }) { score += 0.5 }
        return Contribution(score, evidence: evidence)
    }
}
