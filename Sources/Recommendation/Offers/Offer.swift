package import KnotDomain
package import StageGraph
import TextEncoding
package import TextReading
import Threads

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
    package var study: OfferStudy { facts.study }
    /// What kind of thing it is; nil for what is no gift or of no one kind.
    var kind: GiftKind? { facts.study.kind }
    /// The words of a gift's description in any order; nil where so few are no text that is copied.
    var text: UInt64? {
        let body = words.bodyFingerprints
        return candidate.type == .gift && body.count >= 8 ? body.reduce(0, &+) : nil
    }
    /// The address for comparing.
    var address: String { study.isRead ? words.address : CanonicalURL.key(candidate.url) }

    /// Where a gift is sold, which has a page of its own; outings may share where they are booked.
    var giftPage: String? { candidate.type == .gift && !address.isEmpty ? address : nil }

    /// The same offer, also found elsewhere.
    package func joining(_ other: Offer) -> Offer {
        let more = other.provenance.filter { !provenance.contains($0) }
        return Offer(candidate, provenance: provenance + more, study: facts.study, price: price)
    }

    /// The same offer at the price that another lists for the same page.
    func priced(as twin: Offer) -> Offer {
        let candidate = candidate.repriced(twin.candidate.priceCents, twin.candidate.currency)
        return Offer(candidate, provenance: provenance, study: facts.study, price: twin.price).joining(twin)
    }

    /// The same offer at the price its page asks now; nil means the page no longer says.
    package func repriced(_ minorUnits: Int?, in currency: Currency? = nil) -> Offer {
        Offer(
            candidate.repriced(minorUnits, currency),
            provenance: provenance,
            study: facts.study,
            price: price.moved(to: minorUnits)
        )
    }
}

/// What an offer costs the two of them, as far as its listing says.
package struct OfferPrice: Sendable, Hashable {
    /// One when the listed price is for everything, two when it is asked per head.
    package let party: Int
    private let fee: Int
    /// In the listed currency; nil when no price is listed or the listed one no longer holds.
    package let totalCents: Int?
    /// Whether a price was listed that no longer holds, while nobody knows the new one.
    package let hasLapsed: Bool

    package init(_ candidate: Candidate) {
        // Most listings never repeat their price in words, and then nothing in the words can double it.
        let texts = [candidate.title, candidate.description ?? ""].map(PlainBytes.visible)
        guard let listed = candidate.priceCents, PriceEcho.mayOccur(listed, candidate.currency, in: texts) else {
            self.init(party: 1, totalCents: candidate.priceCents)
            return
        }
        let reading = PriceReading(listed: listed, currency: candidate.currency, texts: texts)
        self.init(party: reading.party, fee: reading.fee, totalCents: reading.total)
    }

    private init(party: Int, fee: Int = 0, totalCents: Int?, hasLapsed: Bool = false) {
        self.party = party
        self.fee = fee
        self.totalCents = totalCents
        self.hasLapsed = hasLapsed
    }

    /// The price after a check: still per head when it was before, and with its fee.
    func moved(to minorUnits: Int?) -> OfferPrice {
        OfferPrice(
            party: party,
            fee: fee,
            totalCents: minorUnits.map { PriceReading.total(of: party, at: $0, besides: fee) },
            hasLapsed: minorUnits == nil && (totalCents != nil || hasLapsed)
        )
    }

    /// The total in a budget's currency; nil when the price or the rate is unknown.
    package func total(of candidate: Candidate, in budget: Budget, rates: Rates) -> Int? {
        totalCents.flatMap { rates.convert($0, from: candidate.currency, to: budget.currency) }
    }
}

/// Values made from an offer's texts, each once; an offer keeps them when its price moves.
package final class OfferStudy: Sendable {
    /// True when the words were found at the beginning; otherwise they are when first asked for.
    let isRead: Bool
    private let candidate: Candidate
    private let early: OfferWords
    private let late = FirstAnswer<OfferWords>()
    private let vocabularySigns = FirstAnswer<TasteSigns>()
    private let letters = FirstAnswer<ClassicListing>()
    private let thing = FirstAnswer<GiftKind?>()

    init(_ candidate: Candidate, isRead: Bool) {
        self.candidate = candidate
        self.isRead = isRead
        early = isRead ? OfferWords(candidate) : .none
    }

    /// Lent and not copied where they were found early.
    var words: OfferWords {
        _read {
            if isRead {
                yield early
            } else {
                yield late[{ OfferWords(candidate) }]
            }
        }
    }

    /// The signs of the shipped vocabulary, read by whoever asks first.
    func signs(_ read: () -> TasteSigns) -> TasteSigns { vocabularySigns[read] }

    var kind: GiftKind? { candidate.type == .gift ? thing[{ GiftKind(title: words.title) }] : nil }

    /// The texts as the original pipeline looks at them.
    package var classic: ClassicListing { _read { yield letters[{ ClassicListing(candidate) }] } }
}
