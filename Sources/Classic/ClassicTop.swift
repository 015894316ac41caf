import KnotDomain
package import Recommendation
package import StageGraph

/// The original's cut: the best nine by interest score, ties by title, before style is ever looked at.
package struct ClassicTop: ShortlistStage {
    package static let kind = "classic.top"
    package static let summary = "Keeps the nine best by interest score; ties are broken by title."

    static let count = Parameter<Int>("count", default: 9, in: 1...1_000, "Candidates to keep.")
    package static let parameters = [count.declaration]

    private let count: Int

    package init(_ parameters: ParameterValues) {
        count = parameters[Self.count]
    }

    package func shorten(
        _ pool: Pool<Offer>,
        by columns: [ScoreColumn],
        _ inputs: StageInputs,
        in context: StageContext
    ) throws(StageFailure) -> Union<Offer> {
        let scored = pool.items.map { offer in
            (offer: offer, score: columns.reduce(0) { $0 + ($1[offer.itemID]?.value ?? 0) })
        }
        let sorted = scored.sorted { left, right in
            left.score != right.score
                ? left.score > right.score
                : (left.offer.candidate.title, left.offer.itemID) < (right.offer.candidate.title, right.offer.itemID)
        }
        return Union(
            items: sorted.prefix(count).map(\.offer),
            cut: sorted.dropFirst(count).map {
                Removal(item: $0.offer.itemID, reason: "not_among_best", evidence: "interest score \($0.score)")
            }
        )
    }
}

/// The original's filter: any disliked category's name inside the text drops the candidate.
package struct ClassicDislikes: FilterStage {
    package static let kind = "classic.dislikes"
    package static let summary = "Drops an offer if its text contains the name of a disliked category."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    package func verdict(on item: Offer, given taste: ClassicTaste) throws(StageFailure) -> FilterVerdict {
        for dislike in taste.dislikes where dislike.matches(item) {
            return .drop(reason: "disliked", evidence: dislike.name)
        }
        return .keep
    }
}
