import KnotDomain
package import StageGraph

/// Drops what the partner dislikes: by the lexicon (whole words, synonyms and brand-like words, never substrings), and by
/// meaning where a disliked interest is what the offer is nearest to and no hint asks for it by its name.
package struct FilterDislikes: FilterStage {
    package static let kind = "filter.dislikes"
    package static let revision = 3
    package static let summary = "Drops offers that show a disliked interest."
    static let brief = InputPort<Brief>("brief")
    static let taste = InputPort<TasteFeatures>("taste")
    static let hints = OptionalPort<HintDigest>("hints")
    package static let inputs = [brief.declaration, taste.declaration, hints.declaration]

    static let mentionDrops = Parameter<Bool>(
        "mention_drops",
        default: true,
        "Whether a telling word in the description is enough; otherwise only title and tags count."
    )
    static let certainty = Parameter<Double>(
        "cosine",
        default: 0.45,
        in: 0...1,
        "Least cosine between an offer and a disliked interest."
    )
    static let slack = Parameter<Double>(
        "slack",
        default: 0.02,
        in: 0...1,
        "Most that another interest may be nearer in meaning than the disliked one."
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
    ) async throws(StageFailure) -> Facts {
        Self.facts(of: try inputs.value(Self.brief), try inputs.value(Self.taste), inputs.value(Self.hints))
    }

    /// What is disliked, what shows it, and what is wished for.
    package typealias Facts = (dislikes: [InterestSign], taste: TasteFeatures, wishes: [HintDigest.Phrase])

    static func facts(of brief: Brief, _ taste: TasteFeatures, _ hints: HintDigest?) -> Facts {
        (brief.vault.dislikes.map(InterestSign.init), taste, hints?.serves ?? [])
    }

    package func verdict(on item: Offer, given facts: Facts) throws(StageFailure) -> FilterVerdict {
        let signs = facts.taste[item.itemID]
        let affinity = facts.taste.affinity(of: item.itemID)
        for dislike in facts.dislikes {
            if let sign = dislike.sign(in: item, signs, spoken: true), sign.clarity >= threshold {
                return .drop(reason: "disliked", evidence: "\(dislike.interest.name): \(sign.words)")
            }
            if let affinity, affinity.cosine(of: dislike.interest) >= certainty,
                affinity.isNearest(dislike.interest, within: slack), !facts.wishes.ask(for: item)
            {
                return .drop(reason: "disliked", evidence: "\(dislike.interest.name): by meaning")
            }
        }
        return .keep
    }
}
