import KnotDomain
package import StageGraph

/// Joins the providers' candidates and merges those that are the same thing, keeping every provenance.
///
/// The same thing is: one canonical address; one merchant with a near-same title; one place found twice.
package struct MergeCandidates: AggregateStage {
    package static let kind = "aggregate.merge"
    package static let summary = "Joins the providers' candidates and merges what is the same thing."

    static let titleOverlap = Parameter<Double>(
        "title_overlap",
        default: 0.8,
        in: 0.5...1,
        "Share of title words in common from which two titles are one."
    )
    package static let parameters = [titleOverlap.declaration]

    private let parameters: ParameterValues

    package init(_ parameters: ParameterValues) {
        self.parameters = parameters
    }

    package func unite(
        _ pools: [(node: NodeID, value: Pool<Offer>)],
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Union<Offer> {
        let titleOverlap = parameters[Self.titleOverlap]
        var union = Union<Offer>(items: [])
        var byURL: [String: Int] = [:]
        var byMerchant: [String: [Int]] = [:]
        let offers = pools.flatMap(\.value.items)
        byURL.reserveCapacity(offers.count)
        byMerchant.reserveCapacity(offers.count)
        union.items.reserveCapacity(offers.count)
        for offer in offers {
            let url = offer.words.address
            let merchant = offer.words.merchant
            if let place = byURL[url] {
                absorb(offer, into: place, why: "same_url", &union)
            } else if let place = (merchant.flatMap { byMerchant[$0] } ?? []).first(where: {
                Sameness.isSameProduct(union.items[$0], offer, overlap: titleOverlap)
            }) {
                absorb(offer, into: place, why: "same_merchant_and_title", &union)
            } else {
                byURL[url] = union.items.count
                if let merchant { byMerchant[merchant, default: []].append(union.items.count) }
                union.items.append(offer)
            }
        }
        return union
    }

    private func absorb(_ offer: Offer, into place: Int, why: String, _ union: inout Union<Offer>) {
        union.merged.append(Merge(absorbed: offer.itemID, survivor: union.items[place].itemID, why: why))
        union.items[place] = union.items[place].joining(offer)
    }
}
