import KnotDomain
package import Recommendation
package import StageGraph
import TextReading

/// The original's aggregation: bare cents inside the budget, three per interest and vibe, gifts and experiences in turn.
package struct ClassicAggregate: AggregateStage {
    package static let kind = "classic.aggregate"
    package static let revision = 2
    package static let summary = "Keeps at most 20, three per interest and vibe, gifts and experiences in turn."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    static let limit = Parameter<Int>("limit", default: 20, in: 1...1_000, "Most candidates to keep.")
    static let perInterest = Parameter<Int>("per_interest", default: 3, in: 1...1_000, "Most candidates per interest.")
    static let perVibe = Parameter<Int>("per_vibe", default: 3, in: 1...1_000, "Most candidates per vibe.")
    package static let parameters = [limit.declaration, perInterest.declaration, perVibe.declaration]

    private let parameters: ParameterValues

    package init(_ parameters: ParameterValues) {
        self.parameters = parameters
    }

    package func unite(
        _ pools: [(node: NodeID, value: Pool<Offer>)],
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Union<Offer> {
        let brief = try inputs.value(Self.brief)
        var union = Union<Offer>(items: [])
        var seen: [String: ItemID] = [:]
        var affordable: [Offer] = []
        if pools.allSatisfy(\.value.items.isEmpty) { try context.noteEmptyPool(inputs.outage(Self.pools)) }
        for offer in pools.flatMap(\.value.items) {
            let key = offer.study.classic.key
            if let first = seen[key] {
                union.merged.append(Merge(absorbed: offer.itemID, survivor: first, why: "same_title_and_merchant"))
            } else if let price = offer.candidate.priceCents, !brief.budget.contains(price) {
                union.cut.append(Removal(item: offer.itemID, reason: "outside_budget", evidence: "\(price)"))
            } else {
                seen[key] = offer.itemID
                affordable.append(offer)
            }
        }
        take(from: inTurn(affordable), brief, into: &union)
        return union
    }

    private func inTurn(_ offers: [Offer]) -> [Offer] {
        let gifts = offers.filter { $0.candidate.type == .gift }
        let outings = offers.filter { $0.candidate.type != .gift }
        return (0..<max(gifts.count, outings.count)).flatMap { place in
            [gifts, outings].compactMap { place < $0.count ? $0[place] : nil }
        }
    }

    private func take(from offers: [Offer], _ brief: Brief, into union: inout Union<Offer>) {
        let limit = parameters[Self.limit]
        let (perInterest, perVibe) = (parameters[Self.perInterest], parameters[Self.perVibe])
        let likes = brief.kept(ClassicTaste.init).likes
        var taken: [String: Int] = [:]
        for offer in offers {
            let text = offer.study.classic.text
            let interests = likes.filter { $0.matches(offer) }.map(\.name)
            let vibes = brief.vault.vibes.filter { ClassicVocabulary.says(text, $0) }
            let isFull =
                interests.contains { taken[$0, default: 0] >= perInterest }
                || vibes.contains { taken[$0.rawValue, default: 0] >= perVibe }
            if union.items.count >= limit || isFull {
                union.cut.append(Removal(item: offer.itemID, reason: "beyond_limit", evidence: "\(limit)"))
                continue
            }
            for name in interests + vibes.map(\.rawValue) { taken[name, default: 0] += 1 }
            union.items.append(offer)
        }
    }
}

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
