package import KnotDomain
package import StageGraph
import TextEncoding

/// A candidate on its way through the graph, with its words found once and every place it came from.
package struct Offer: GraphItem {
    package let candidate: Candidate
    /// Providers that had it, the one that is shown first.
    package let provenance: [ProviderName]
    package let words: OfferWords
    package let price: OfferPrice

    package init(_ candidate: Candidate, provenance: [ProviderName]? = nil) {
        self.init(
            candidate, provenance: provenance ?? [candidate.provider], words: OfferWords(candidate),
            price: OfferPrice(candidate))
    }

    private init(_ candidate: Candidate, provenance: [ProviderName], words: OfferWords, price: OfferPrice) {
        self.candidate = candidate
        self.provenance = provenance
        self.words = words
        self.price = price
    }

    package var itemID: ItemID { ItemID(candidate.id.text) }

    /// The same offer, also found elsewhere.
    package func joining(_ other: Offer) -> Offer {
        let more = other.provenance.filter { !provenance.contains($0) }
        return Offer(candidate, provenance: provenance + more, words: words, price: price)
    }

    /// The same offer at the price its page asks now; nil means the page no longer says.
    package func repriced(_ minorUnits: Int?) -> Offer {
        Offer(
            candidate.repriced(minorUnits), provenance: provenance, words: words, price: price.moved(to: minorUnits))
    }
}
