import KnotDomain
package import StageGraph
package import TextEncoding
import TextReading

/// How unlike everything in the history an offer is.
package struct ScoreNovelty: ScoreStage {
    package static let kind = "score.novelty"
    package static let summary = "Scores how different an offer is from everything in the history."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> [StemSet] {
        let brief = try inputs.value(Self.brief)
        let shown = brief.refresh?.rejections.map(\.title) ?? []
        return (brief.vault.history.map(\.title) + shown).map(Sameness.stems(ofTitle:))
    }

    package func contribution(of item: Offer, given history: [StemSet]) throws(StageFailure) -> Contribution? {
        let title = item.words.titleSet
        return history.isEmpty ? nil : Contribution(1 - history.reduce(0) { max($0, Sameness.overlap($1, title)) })
    }
}
