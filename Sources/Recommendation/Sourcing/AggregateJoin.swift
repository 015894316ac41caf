import KnotDomain
package import StageGraph
import TextReading

/// Puts the providers' candidates side by side, in the order of the providers.
///
/// Nothing is merged here: of two that are the same thing, the rules may drop one and keep the other. But what one says of a
/// page's price holds for all that lead to that page by the same name, before a rule asks for it.
package struct AggregateJoin: AggregateStage {
    package static let kind = "aggregate.join"
    package static let revision = 4
    package static let summary = "Joins the candidates of all providers; the same id counts once."

    package init() {}

    package func unite(
        _ pools: [(node: NodeID, value: Pool<Offer>)],
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Union<Offer> {
        let items = pools.flatMap(\.value.items)
        if items.isEmpty { try context.noteEmptyPool(inputs.outage(Self.pools)) }
        return Union(items: Self.priced(items))
    }

    /// Each offer without a price at the one that others list for the same address, where they agree.
    private static func priced(_ items: [Offer]) -> [Offer] {
        let open = Set(items.lazy.filter { $0.candidate.priceCents == nil }.map(\.address))
        guard !open.isEmpty, open.count < items.count else { return items }
        // By address; nil where several prices are listed, since that is not of one thing.
        var twins: [String: Offer?] = [:]
        for item in items where item.candidate.priceCents != nil && open.contains(item.address) {
            let twin = twins[item.address, default: item]
            let isSame = twin?.price == item.price && twin?.candidate.currency == item.candidate.currency
            twins.updateValue(isSame ? twin : nil, forKey: item.address)
        }
        return items.map { item in
            guard item.candidate.priceCents == nil, let twin = twins[item.address] ?? nil,
                Sameness.shareName(item, twin)
            else { return item }
            return item.priced(as: twin)
        }
    }
}

extension StageContext {
    /// Notes that no provider has an offer, unless a provider could not be asked.
    package func noteEmptyPool(_ outage: StageFailure?) throws(StageFailure) {
        if let outage { throw outage }
        note("no_candidates", "no provider has anything to choose from", degrades: false)
    }
}
