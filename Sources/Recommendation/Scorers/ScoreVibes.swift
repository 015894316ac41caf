import KnotDomain
package import StageGraph

/// How much of the vault's style an offer shows: the mean over its vibes, so that more vibes are no higher ceiling.
package struct ScoreVibes: ScoreStage {
    package static let kind = "score.vibes"
    package static let summary = "Scores how much of the vault's style an offer shows, as a mean over its vibes."
    static let brief = InputPort<Brief>("brief")
    static let taste = InputPort<TasteFeatures>("taste")
    package static let inputs = [brief.declaration, taste.declaration]

    package static let parameters = [ScoreInterests.meaning.declaration]

    private let most: Double

    package init(_ parameters: ParameterValues) {
        most = parameters[ScoreInterests.meaning]
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> (Brief, TasteFeatures) {
        (try inputs.value(Self.brief), try inputs.value(Self.taste))
    }

    package func contribution(
        of item: Offer,
        given facts: (Brief, TasteFeatures)
    ) throws(StageFailure) -> Contribution? {
        let vibes = facts.0.vault.vibes
        guard !vibes.isEmpty else { return nil }
        let signs = facts.1[item.itemID]
        let shown = vibes.compactMap { vibe in signs.sign(of: vibe).map { (vibe, $0.clarity == .faint ? 0.4 : 1.0) } }
        let sum = shown.reduce(0) { $0 + $1.1 }
        let meant = facts.1.affinity(of: item.itemID).map { affinity in
            vibes.reduce(0) { $0 + affinity.strength(of: $1) }
        }
        return Contribution(
            max(sum, most * (meant ?? 0)) / Double(vibes.count),
            evidence: shown.map { Evidence(kind: "vibe", ref: $0.0.rawValue, weight: $0.1) }
        )
    }
}
