import KnotDomain
package import StageGraph

/// The original's filter: any disliked category's name inside the text drops the candidate.
package struct ClassicDislikes: FilterStage {
    package static let kind = "classic.dislikes"
    package static let summary = "Drops what has a disliked category's name anywhere in its text."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    package func verdict(on item: Offer, given brief: Brief) throws(StageFailure) -> FilterVerdict {
        for dislike in brief.classic.dislikes where dislike.matches(item) {
            return .drop(reason: "disliked", evidence: dislike.name)
        }
        return .keep
    }
}
