import JSONDocument
package import KnotDomain
package import Recommendation

/// What a page says of its item: machines' data first, words where there is none, nothing where they contradict.
package struct PageReading: Sendable, Hashable {
    /// Whether it is the page of the item at all.
    package enum Kind: Sendable, Hashable {
        case item
        /// A page that says that there is none, whatever its status.
        case missing
        /// Something that keeps machines out.
        case wall
    }

    package let kind: Kind
    package let signal: AvailabilityProbe.Signal
    package let price: AvailabilityProbe.PriceFinding
    /// Days until it arrives, by country, as `AvailabilityProbe` has them.
    package let deliveryDays: [String: Int]

    /// Reads the beginning of a page for an item whose price is in this currency.
    package init(_ bytes: some Collection<UInt8>, currency: Currency) {
        let page = PageText(bytes)
        let data = OfferData(page, currency: currency)
        let heads = [page.title] + page.headings
        func isSaid(_ phrases: [String], in texts: [String]) -> Bool {
            texts.contains { text in phrases.contains { text.contains($0) } }
        }
        // Data of an offer is no wall's, and a page without a title may still be the item's.
        if !data.isThere, isSaid(PageWording.walls, in: heads) || Self.hasWallMark(bytes, page) {
            (kind, signal, price, deliveryDays) = (.wall, .none, .notLooked, [:])
            return
        }
        if !data.isThere, isSaid(PageWording.missing, in: heads) {
            (kind, signal, price, deliveryDays) = (.missing, .none, .notLooked, [:])
            return
        }
        kind = .item
        price = data.price.map { .minorUnits($0) } ?? .notLooked
        deliveryDays = data.shipping.days
        // What can be bought may stand beside others that are sold out.
        let isBuyable = isSaid(PageWording.buyable, in: [page.visible])
        if let found = data.signal {
            signal = found
        } else if isSaid(PageWording.closedForGood, in: [page.visible]) {
            signal = .permanentlyClosed
        } else if isBuyable {
            signal = .inStock
        } else {
            signal = isSaid(PageWording.soldOut, in: [page.visible]) ? .outOfStock : .none
        }
    }

    /// A wall shows next to nothing; a shop may have a captcha somewhere in its form.
    private static func hasWallMark(_ bytes: some Collection<UInt8>, _ page: PageText) -> Bool {
        guard page.visible.utf8.count < 1_500 else { return false }
        let markup = String(decoding: bytes, as: UTF8.self).lowercased()
        return PageWording.wallMarks.contains { markup.contains($0) }
    }
}

/// What a page says of its offer in schema.org's words, in linked data, microdata or Open Graph.
private struct OfferData {
    private(set) var signal: AvailabilityProbe.Signal?
    private(set) var shipping = ShippingData()
    /// Whether there is any.
    private(set) var isThere = false

    private let currency: Currency
    /// The states of all offers that the page names for its item.
    private var states: [AvailabilityProbe.Signal] = []
    /// Prices in the item's currency, with whether what costs that is sold out.
    private var prices: [(units: Int, isGone: Bool)] = []

    /// As many nodes as are looked at.
    private static let mostNodes = 2_000

    init(_ page: PageText, currency: Currency) {
        self.currency = currency
        for script in page.linkedData.prefix(20) {
            // Linked data that is none says nothing.
            guard let value = try? JSONParser.parse(Array(script.utf8), keepsDecimals: true) else { continue }
            var nodes = Self.mostNodes
            walk(value, isWithin: false, &nodes)
        }
        read(page.properties)
        // One offer of several that can be had is enough.
        signal = states.contains(.inStock) ? .inStock : states.first
    }

    /// What the first offer costs that can be had; what is sold out costs nobody anything.
    var price: Int? { (prices.first { !$0.isGone } ?? prices.first)?.units }

    private mutating func walk(_ value: JSONValue, isWithin isOfItem: Bool, _ nodes: inout Int) {
        guard nodes > 0 else { return }
        nodes -= 1
        if let items = value.array {
            for item in items { walk(item, isWithin: isOfItem, &nodes) }
            return
        }
        guard let members = value.object else { return }
        let types = Self.texts(value["@type"]).map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        let isItem = types.contains { Self.itemTypes.contains($0) || $0.hasSuffix("Event") }
        let isOffer = types.contains { $0 == "Offer" || $0 == "AggregateOffer" || $0 == "Demand" }
        if isItem || isOffer { isThere = true }
        if isItem, let state = Self.state(Self.texts(value["eventStatus"]).first ?? "") { states.append(state) }
        if isOffer || isItem || isOfItem {
            let own = Self.texts(value["availability"]).compactMap(Self.state)
            states += own
            shipping.take(value)
            let isGone = own.contains(.outOfStock) && !own.contains(.inStock)
            let code = Self.texts(value["priceCurrency"]).first
            take(price: value["price"] ?? value["lowPrice"], of: code, isGone: isGone)
        }
        for member in members.members where !Self.others.contains(member.name) {
            walk(member.value, isWithin: member.name == "offers" && (isItem || isOffer), &nodes)
        }
    }

    private mutating func read(_ properties: [(name: String, content: String)]) {
        func content(_ names: String...) -> String? {
            properties.first { property in names.contains(property.name) }?.content
        }
        let said = properties.filter { ["availability", "product:availability", "og:availability"].contains($0.name) }
            .compactMap { Self.state($0.content) }
        if !said.isEmpty {
            isThere = true
            // Linked data is the more careful of the two where both are there; nobody says which of several is the item's.
            if states.isEmpty, Set(said).count == 1 { states = [said[0]] }
        }
        guard prices.isEmpty else { return }
        let amount = content("price", "product:price:amount", "og:price:amount")
        take(
            price: amount.map { .string($0) },
            of: content("pricecurrency", "product:price:currency", "og:price:currency"),
            isGone: false
        )
    }

    /// A price in the item's currency; a price in another one says nothing of this one.
    private mutating func take(price value: JSONValue?, of code: String?, isGone: Bool) {
        guard let value, let amount = value.decimal, code.flatMap(Currency.init) == currency else { return }
        guard !isAmbiguous(value.string ?? "") else { return }
        guard let units = amount.minorUnits(of: currency), units > 0 else { return }
        prices.append((units, isGone))
        isThere = true
    }

    /// `1.299` is a thousand and more to some writers, and a little more than one to others.
    private func isAmbiguous(_ written: String) -> Bool {
        let parts = written.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1].utf8.count == 3 && currency.exponent != 3
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let items): items.compactMap(\.string)
        case .object: value?["@id"]?.string.map { [$0] } ?? []
        default: []
        }
    }

    /// What can be bought or visited besides every kind of event; a recipe or an article says nothing of an offer.
    private static let itemTypes: Set<String> = [
        "Product", "ProductGroup", "IndividualProduct", "ProductModel", "Book", "Festival", "Course", "Service",
    ]

    /// Members that speak of other items.
    private static let others: Set<String> = [
        "isRelatedTo", "isSimilarTo", "isAccessoryOrSparePartFor", "isConsumableFor", "review", "reviews",
        "itemListElement",
        "subEvent", "superEvent",
    ]

    /// A state in schema.org's words or in the plain ones of Open Graph; nil where it says nothing.
    private static func state(_ text: String) -> AvailabilityProbe.Signal? {
        let word = text.split(separator: "/").last.map(String.init) ?? text
        switch word.lowercased().filter({ $0.isLetter }) {
        case "instock", "limitedavailability", "onlineonly", "instoreonly", "preorder", "presale", "backorder",
            "madetoorder",
            "available", "availablefororder":
            return .inStock
        case "outofstock", "soldout", "discontinued", "oos", "eventcancelled", "eventcanceled", "unavailable":
            return .outOfStock
        default: return nil
        }
    }
}
