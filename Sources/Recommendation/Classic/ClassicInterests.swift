import KnotDomain
package import StageGraph

/// The original's interest score: one for each liked category times its learned weight, and half a point for the tag.
package struct ClassicInterests: ScoreStage {
    package static let kind = "classic.interests"
    package static let summary = "One point for each liked category found in the text, half a point for the tag."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    package func contribution(of item: Offer, given brief: Brief) throws(StageFailure) -> Contribution? {
        let taste = brief.classic
        var score = 0.0
        var evidence: [Evidence] = []
        for like in taste.likes where like.matches(item) {
            score += taste.weights.weight(ofInterest: like.name)
            evidence.append(Evidence(kind: "interest", ref: like.name, weight: 1))
        }
        if taste.likes.contains(where: { $0.isTagged(item) }) { score += 0.5 }
        return Contribution(score, evidence: evidence)
    }
}
