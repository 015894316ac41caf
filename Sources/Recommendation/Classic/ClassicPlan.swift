import KnotDomain
package import StageGraph

/// The original asked every service for the interests and vibes; hints never reached a query.
package struct ClassicPlan: TransformStage {
    package static let kind = "classic.plan"
    package static let role = StageRole.planner
    package static let summary = "Asks every provider for the liked interests and the vibes."
    static let brief = InputPort<Brief>("brief")
    static let hints = InputPort<[Hint]>("hints")
    package static let inputs = [brief.declaration, hints.declaration]

    package init() {}

    package func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> QueryPlan {
        let brief = try inputs.value(Self.brief)
        // Who the original asked is asked the same; what is nobody's business is left out.
        let filter = PublicPhrases(brief.vault)
        return QueryPlan(
            phrases: brief.vault.likes.compactMap { filter.like($0.name) } + brief.vault.vibes.map(\.rawValue),
            budget: brief.budget,
            place: filter.place(brief.vault.location),
            until: brief.occurrence ?? brief.today.adding(days: 60),
            readsWords: false
        )
    }
}
