import KnotDomain
package import StageGraph

/// Drops what the partner dislikes, by the lexicon: whole words, synonyms and brand-like words, never substrings.
package struct DropDisliked: FilterStage {
    package static let kind = "filter.dislikes"
    package static let summary = "Drops what shows a disliked interest."
    static let brief = InputPort<Brief>("brief")
    static let taste = InputPort<PoolTaste>("taste")
    package static let inputs = [brief.declaration, taste.declaration]

    static let mentionDrops = Parameter<Bool>(
        "mention_drops",
        default: true,
        "Whether a telling word in the description is enough, or only in title and tags."
    )
    package static let parameters = [mentionDrops.declaration]

    private let threshold: TasteSigns.Clarity

    package init(_ parameters: ParameterValues) {
        threshold = parameters[Self.mentionDrops] ? .mentioned : .evident
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> ([InterestSign], PoolTaste) {
        (try inputs.value(Self.brief).vault.dislikes.map(InterestSign.init), try inputs.value(Self.taste))
    }

    package func verdict(on item: Offer, given facts: ([InterestSign], PoolTaste)) throws(StageFailure) -> FilterVerdict
    {
        let signs = facts.1[item.itemID]
        for dislike in facts.0 {
            if let sign = dislike.sign(in: item, signs), sign.clarity >= threshold {
                return .drop(reason: "disliked", evidence: "\(dislike.interest.name): \(sign.words)")
            }
        }
        return .keep
    }
}
