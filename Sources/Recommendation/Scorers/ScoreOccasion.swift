import KnotDomain
package import StageGraph
import TextEncoding

/// Whether an offer speaks of this occasion, of another one, or of none.
package struct ScoreOccasion: ScoreStage {
    package static let kind = "score.occasion"
    package static let summary = "Whether an offer speaks of this occasion or of another one."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    /// The occasions an offer may speak of, and which of them this is.
    package struct Facts: Sendable {
        let own: [Phrase]
        let others: [Phrase]
    }

    package func facts(
        for pool: Pool<Offer>, _ inputs: StageInputs, in context: StageContext
    ) async throws(StageFailure) -> Facts {
        let brief = try inputs.value(Self.brief)
        let milestone = TokenizedText(brief.milestone.map { "\($0.kind.rawValue) \($0.name)" } ?? "")
        let known = OccasionWords.all.map(\.phrases)
        return Facts(
            own: known.filter { $0.contains { milestone.contains($0) } }.flatMap { $0 },
            others: known.filter { !$0.contains { milestone.contains($0) } }.flatMap { $0 })
    }

    package func contribution(of item: Offer, given facts: Facts) throws(StageFailure) -> Contribution? {
        if let words = facts.own.first(where: { item.words.all.contains($0) }) {
            return Contribution(1, evidence: [Evidence(kind: "occasion", ref: words.text, weight: 1)])
        }
        // Elsewhere in a description another occasion is an aside; in the title it is what the thing is for.
        return facts.others.contains { item.words.title.contains($0) } ? Contribution(0) : nil
    }
}
