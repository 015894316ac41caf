package import KnotDomain
package import StageGraph
import TextEncoding

/// A candidate on its way through the graph, with its words found once and every place it came from.
///
/// One reference: offers are copied from node to node many times, and their texts are not.
package struct Offer: GraphItem {
    private final class Facts: Sendable {
        let itemID: ItemID
        let candidate: Candidate
        let provenance: [ProviderName]
        let study: OfferStudy
        let price: OfferPrice

        init(_ candidate: Candidate, provenance: [ProviderName], study: OfferStudy, price: OfferPrice) {
            itemID = ItemID(candidate.id.text)
            self.candidate = candidate
            self.provenance = provenance
            self.study = study
            self.price = price
        }
    }

    private let facts: Facts

    package init(_ candidate: Candidate, provenance: [ProviderName]? = nil) {
        self.init(candidate, provenance: provenance, isRead: true)
    }

    /// An offer that is not read finds its words when they are first asked for, which costs more each time after.
    init(_ candidate: Candidate, provenance: [ProviderName]? = nil, isRead: Bool) {
        self.init(
            candidate,
            provenance: provenance ?? [candidate.provider],
            study: OfferStudy(candidate, isRead: isRead),
            price: OfferPrice(candidate)
        )
    }

    private init(_ candidate: Candidate, provenance: [ProviderName], study: OfferStudy, price: OfferPrice) {
        facts = Facts(candidate, provenance: provenance, study: study, price: price)
    }

    package var itemID: ItemID { facts.itemID }
    /// Lent and not copied: reading one field must not count references to the other twenty.
    package var candidate: Candidate { _read { yield facts.candidate } }
    /// Providers that had it, the one that is shown first.
    package var provenance: [ProviderName] { facts.provenance }
    package var words: OfferWords { _read { yield facts.study.words } }
    package var price: OfferPrice { facts.price }
    /// What was made of its texts so far.
    var study: OfferStudy { facts.study }

    /// The same offer, also found elsewhere.
    package func joining(_ other: Offer) -> Offer {
        let more = other.provenance.filter { !provenance.contains($0) }
        return Offer(candidate, provenance: provenance + more, study: facts.study, price: price)
    }

    /// The same offer at the price its page asks now; nil means the page no longer says.
    package func repriced(_ minorUnits: Int?) -> Offer {
        Offer(
            candidate.repriced(minorUnits),
            provenance: provenance,
            study: facts.study,
            price: price.moved(to: minorUnits)
        )
    }
}
