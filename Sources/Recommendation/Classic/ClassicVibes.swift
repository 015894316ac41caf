import KnotDomain
package import StageGraph

/// The original's vibe boost: 0.30 times its weight for each matching vibe, without a ceiling.
package struct ClassicVibes: ScoreStage {
    package static let kind = "classic.vibes"
    package static let summary = "0.30 for each matching vibe, without a ceiling."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    package func contribution(of item: Offer, given brief: Brief) throws(StageFailure) -> Contribution? {
        let text = item.study.classic.text
        let matching = brief.vault.vibes.filter { ClassicVocabulary.says(text, $0) }
        return Contribution(
            matching.reduce(0) { $0 + 0.30 * brief.classic.weights.weight(of: $1) },
            evidence: matching.map { Evidence(kind: "vibe", ref: $0.rawValue, weight: 0.30) }
        )
    }
}
