import KnotDomain
package import StageGraph
import TextEncoding

/// Drops what was given before, and what comes from where a refused thing came from.
package struct DropKnown: FilterStage {
    package static let kind = "filter.history"
    package static let summary = "Drops what was already given or refused."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    static let sameTitle = Parameter<Double>(
        "same_title",
        default: 0.7,
        in: 0.3...1,
        "Share of the shorter title's words from which it is the same again."
    )
    package static let parameters = [sameTitle.declaration]

    private let sameTitle: Double

    package init(_ parameters: ParameterValues) {
        sameTitle = parameters[Self.sameTitle]
    }

    /// One earlier item, made ready to compare.
    package struct Known: Sendable {
        let item: HistoryItem
        let stems: StemSet
        let merchant: String?
        let url: String?
        let wasRefused: Bool
    }

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> [Known] {
        try inputs.value(Self.brief).vault.history.map { item in
            Known(
                item: item,
                stems: Sameness.stems(ofTitle: item.title),
                merchant: Sameness.merchantKey(item.merchant),
                url: item.url.map(CanonicalURL.key),
                wasRefused: HistorySignal.isRefusal(item)
            )
        }
    }

    package func verdict(on item: Offer, given history: [Known]) throws(StageFailure) -> FilterVerdict {
        let url = item.words.address
        let merchant = item.words.merchant
        for known in history {
            let reason = known.wasRefused ? "already_refused" : "already_given"
            if known.url == url {
                return .drop(reason: reason, evidence: "same address as \(known.item.title.prefix(60))")
            }
            if known.item.type == item.candidate.type || known.merchant == merchant,
                Sameness.isSameTitle(known.stems, item.words.titleSet, share: sameTitle)
            {
                return .drop(reason: reason, evidence: "same as \(known.item.title.prefix(60))")
            }
            if known.wasRefused, let merchant, known.merchant == merchant {
                return .drop(reason: reason, evidence: "from \(known.item.merchant ?? "") again")
            }
        }
        return .keep
    }
}
