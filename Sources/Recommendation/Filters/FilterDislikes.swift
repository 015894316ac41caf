import KnotDomain
package import StageGraph

/// Drops what the partner dislikes: by the lexicon (whole words, synonyms and brand-like words, never substrings), and by
/// meaning where a disliked interest is what the offer is nearest to.
package struct FilterDislikes: FilterStage {
    package static let kind = "filter.dislikes"
    package static let revision = 2
    package static let summary = "Drops what shows a disliked interest."
    static let brief = InputPort<Brief>("brief")
    static let taste = InputPort<TasteFeatures>("taste")
    package static let inputs = [brief.declaration, taste.declaration]

    static let mentionDrops = Parameter<Bool>(
        "mention_drops",
        default: true,
        "Whether a telling word in the description is enough, or only in title and tags."
    )
    static let certainty = Parameter<Double>(
        "cosine",
        default: 0.45,
        in: 0...1,
        "How near in meaning an offer must be to a disliked interest."
    )
    static let slack = Parameter<Double>(
        "slack",
        default: 0.02,
        in: 0...1,
        "By how much another interest may be nearer in meaning than the disliked one."
    )
    package static let parameters = [mentionDrops.declaration, certainty.declaration, slack.declaration]

    private let threshold: TasteSigns.Clarity
    private let certainty: Double
    private let slack: Double

    package init(_ parameters: ParameterValues) {
        threshold = parameters[Self.mentionDrops] ? .mentioned : .evident
        certainty = parameters[Self.certainty]
        slack = parameters[Self.slack]
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> ([InterestSign], TasteFeatures) {
        Self.facts(of: try inputs.value(Self.brief), try inputs.value(Self.taste))
    }

    static func facts(of brief: Brief, _ taste: TasteFeatures) -> ([InterestSign], TasteFeatures) {
        (brief.vault.dislikes.map(InterestSign.init), taste)
    }

    package func verdict(
        on item: Offer,
        given facts: ([InterestSign], TasteFeatures)
    ) throws(StageFailure) -> FilterVerdict {
        let signs = facts.1[item.itemID]
        let affinity = facts.1.affinity(of: item.itemID)
        for dislike in facts.0 {
            if let sign = dislike.sign(in: item, signs, spoken: true), sign.clarity >= threshold {
                return .drop(reason: "disliked", evidence: "\(dislike.interest.name): \(sign.words)")
            }
            if let affinity, affinity.cosine(of: dislike.interest) >= certainty,
                affinity.isNearest(dislike.interest, within: slack)
            {
                return .drop(reason: "disliked", evidence: "\(dislike.interest.name): by meaning")
            }
        }
        return .keep
    }
}
