import KnotDomain
package import StageGraph

/// How near an offer is to what the vault as a whole asks for.
package struct ScoreThemes: ScoreStage {
    package static let kind = "score.themes"
    package static let summary = "Scores how near an offer is to the vault as a whole."
    static let relatedness = InputPort<PhraseSimilarity>("relatedness")
    package static let inputs = [relatedness.declaration]

    package init() {}

    package func contribution(of item: Offer, given facts: PhraseSimilarity) throws(StageFailure) -> Contribution? {
        guard facts.serves.hasPhrases(among: .vault) else { return nil }
        guard let best = facts.serves.strongest(for: item.itemID, among: .vault) else {
            return Contribution(0)
        }
        return Contribution(
            best.nearness,
            evidence: [Evidence(kind: "theme", ref: best.phrase.text, weight: best.nearness)]
        )
    }
}
