package import KnotDomain
package import Recommendation

/// The facts that a page states about its item: data for machines first, else words, and nothing if they contradict.
package struct PageReading: Sendable, Hashable {
    /// Whether it is the page of the item at all.
    package enum Kind: Sendable, Hashable {
        case item
        /// A page that says that there is none, whatever its status.
        case missing
        /// Something that keeps machines out.
        case wall
        /// A page of which nobody can tell what it says of the item.
        case unclear
    }

    package let kind: Kind
    package let signal: AvailabilityProbe.Signal
    package let price: AvailabilityProbe.PriceFinding
    /// Of the price, where it is not the item's.
    package let currency: Currency?
    /// Days until it arrives, by country, as `AvailabilityProbe` has them.
    package let deliveryDays: [String: Int]

    private init(
        _ kind: Kind,
        _ signal: AvailabilityProbe.Signal = .none,
        _ price: AvailabilityProbe.PriceFinding = .notLooked,
        in currency: Currency? = nil,
        days: [String: Int] = [:]
    ) {
        self.kind = kind
        self.signal = signal
        self.price = price
        self.currency = currency
        deliveryDays = days
    }

    /// Reads the beginning of a page for an item whose price is in this currency.
    package init(_ bytes: some Collection<UInt8>, currency: Currency) {
        self.init(bytes, of: PageItem(currency: currency))
    }

    /// Reads the beginning of a page for an item; the page's header may say what letters it is in.
    package init(_ bytes: some Collection<UInt8>, contentType: String? = nil, of item: PageItem) {
        let page = PageText(bytes, contentType: contentType)
        let data = OfferData(page, of: item)
        // Data of an offer is no wall's, and a page without a title may still be the item's.
        let heads = data.isThere ? .item : PageHeads(page, markup: Array(bytes), of: item).verdict
        switch heads {
        case .wall:
            self.init(.wall)
            return
        case .missing:
            self.init(.missing)
            return
        case .closed:
            self.init(.unclear)
            return
        case .unclear, .item: break
        }
        // Another item's page, to which the old address leads, says nothing of this one.
        if item.isMoved, !data.isOfItem {
            let names = OfferData.heads(of: page).filter { !$0.isEmpty }
            let isNamed = item.fit(names: names, urls: [], onPageCalled: []) > .none
            if !isNamed, data.hasNames || !names.isEmpty {
                self.init(.unclear)
                return
            }
        }
        // Whoever opens it is led away, so that nothing is said there of the item.
        let leadsOn = page.refresh.map { !item.isOwn($0.url) }
        if !data.isThere, leadsOn ?? PageRefresh.isScripted(page, markup: Array(bytes)) {
            self.init(.unclear)
            return
        }
        let words = PageWords(page, of: item)
        let said: AvailabilityProbe.Signal
        if let signal = data.signal {
            // Data are kept for machines, and what a reader is told or can press may be newer.
            let isContradicted =
                signal == .inStock ? words.isGone : words.hasBasket && data.isOfStock
            guard !isContradicted else {
                self.init(.unclear)
                return
            }
            said = signal
        } else {
            switch words.verdict {
            case .closedForGood: said = .permanentlyClosed
            case .soldOut: said = .outOfStock
            case .buyable where !data.isContradicted: said = .inStock
            case .nothing where heads == .item && page.isReadable && !data.isContradicted && !data.isDoubtful:
                said = .none
            // What is offered at a price stays offered, whatever is said of others.
            case .doubtful where data.price != .notLooked && !data.isContradicted && !data.isDoubtful: said = .none
            case .buyable, .nothing, .doubtful, .contradicted:
                self.init(.unclear)
                return
            }
        }
        let (price, currency) = Self.price(by: data, page, item)
        self.init(.item, said, price, in: currency, days: data.shipping.days)
    }

    /// A page that has another currency than the listing asks its own price in that one, where it has no other.
    private static func price(
        by data: OfferData,
        _ page: PageText,
        _ item: PageItem
    ) -> (AvailabilityProbe.PriceFinding, Currency?) {
        guard data.price == .notLooked, data.currencies.count == 1,
            let other = data.currencies.first.flatMap(Currency.init), other != item.currency
        else { return (data.price, nil) }
        switch OfferData(page, of: item.listed(in: other)).price {
        case .notLooked: return (.notLooked, nil)
        case let price: return (price, other)
        }
    }
}
