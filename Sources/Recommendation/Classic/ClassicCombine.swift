import KnotDomain
package import StageGraph

/// The original's product, max(interest, 1) × (1 + vibe) × (1 + love language) × type weight, told as what each factor adds.
package struct ClassicCombine: CombineStage {
    package typealias Item = Offer
    package static let kind = "classic.combine"
    package static let summary = "max(interest, 1) × (1 + vibe) × (1 + love language) × type weight."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    /// The factors that scorers give, by their nodes' names.
    private static let factors = ["interests", "vibes", "love_languages"]

    package static func objections(to setting: StageSetting) -> [StageObjection] {
        setting.nodes(at: columns.name).filter { !factors.contains($0.text) }.map { scorer in
            StageObjection(
                "inputs.\(columns.name)",
                "the scorer \"\(scorer)\" is no factor here; those are " + factors.joined(separator: ", ")
            )
        }
    }

    package init() {}

    package func total(
        of item: Offer,
        from columns: [ScoreColumn],
        _ inputs: StageInputs
    ) throws(StageFailure) -> Total {
        let brief = try inputs.value(Self.brief)
        let value = { (name: String) in columns.first { $0.node.text == name }?[item.itemID]?.value ?? 0 }
        let base = max(value("interests"), 1)
        let styled = base * (1 + value("vibes"))
        let loved = styled * (1 + value("love_languages"))
        let final = loved * ClassicWeights.weight(of: item.candidate.type, in: brief.vault)
        return Total(
            parts: [
                Total.Part(name: "interests", value: base), Total.Part(name: "vibes", value: styled - base),
                Total.Part(name: "love_languages", value: loved - styled),
                Total.Part(name: "type", value: final - loved),
            ],
            evidence: columns.flatMap { $0[item.itemID]?.evidence ?? [] }
        )
    }
}
