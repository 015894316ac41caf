import JSONDocument
import KnotDomain
import Recommendation
import TextReading

/// What a page says of its item's offers in schema.org's words: in linked data, microdata or Open Graph.
///
/// A page may speak of many items. Those count that have the item's address or its name, the best of them alone; where none
/// has, the only one there is, or what all of them agree on.
struct OfferData {
    private(set) var signal: AvailabilityProbe.Signal?
    private(set) var price: Int?
    private(set) var shipping = ShippingData()
    /// Whether it contradicts itself, so that a word may decide against it and none for it.
    private(set) var isContradicted = false
    /// Whether it says something that nobody can read, or that is over: no word, no verdict.
    private(set) var isDoubtful = false

    /// Whether it tells of an offer, as no wall and no page of nothing does.
    var isThere: Bool { signal != nil || price != nil || isContradicted }

    /// As many scripts and things as are looked at.
    private static let mostScripts = 20
    private static let goneMarks = PhraseFinder(["outofstock", "soldout", "eventcancelled"], areWords: false)
    private static let thereMarks = PhraseFinder(["instock"], areWords: false)

    init(_ page: PageText, of item: PageItem) {
        let scripts = page.linkedData.prefix(Self.mostScripts)
        let linked = scripts.map { LinkedData($0) }
        take(linked.flatMap(\.values), page, item)
        if signal == nil, !isContradicted { take(MarkedItem.values(of: page.markedItems), page, item) }
        read(page.properties, item)
        guard signal == nil else { return }
        isDoubtful =
            isDoubtful
            || zip(scripts, linked).contains { script, data in
                guard data.isBroken else { return false }
                let letters = Array(String(decoding: script, as: UTF8.self).lowercased().utf8)
                return Self.goneMarks.isIn(letters) && !Self.thereMarks.isIn(letters)
            }
    }

    private mutating func take(_ values: [JSONValue], _ page: PageText, _ item: PageItem) {
        var walk = ItemWalk(currency: item.currency, today: item.today)
        for value in values { walk.read(value) }
        let heads = Self.heads(of: page)
        let fits = walk.items.map { ($0, item.fit(names: $0.names, urls: $0.urls, onPageCalled: heads)) }
            .filter { !$0.0.isOfOthers || $0.1 > .partly }
        let best = fits.map(\.1).max() ?? .none
        let main = fits.filter { $0.1 == best }.map(\.0)
        let isSure = best > .none || main.count == 1
        let signals = main.compactMap(\.signal)
        if isSure {
            // One of several dates or forms that can be had is enough.
            signal = signals.contains(.inStock) ? .inStock : signals.first
        } else if let first = signals.first {
            if Set(signals).count == 1, signals.count == main.count { signal = first } else { isContradicted = true }
        }
        isContradicted = isContradicted || signal != .inStock && main.contains(where: \.isContradicted)
        isDoubtful = isDoubtful || main.contains(where: \.isDoubtful)
        if isContradicted { signal = nil }
        if price == nil { price = PriceRange.now(in: main.flatMap(\.offers), listed: item.priceCents, isSure: isSure) }
        for one in main where isSure { for offer in one.sources { shipping.take(offer) } }
    }

    /// The names that a page gives itself: its headings, and the parts of its title.
    private static func heads(of page: PageText) -> [PageItem.Name] {
        let parts = page.title.split { "|–—·»".contains($0) }.map(String.init)
        return (page.headings.prefix(5) + [page.title] + parts.prefix(5)).map { PageItem.Name(Array($0.utf8)) }
    }

    /// What stands in the page's own elements, outside of any item.
    private mutating func read(_ properties: [(name: String, content: String)], _ item: PageItem) {
        func content(_ names: String...) -> String? {
            properties.first { property in names.contains(property.name) }?.content
        }
        let said = properties.filter { ["availability", "product:availability", "og:availability"].contains($0.name) }
            .compactMap { SchemaNode.state($0.content) }
        // Linked data is the more careful of the two where both are there; nobody says which of several is the item's.
        if signal == nil, !isContradicted, let first = said.first {
            if Set(said).count == 1 { signal = first } else { isDoubtful = true }
        }
        guard price == nil, let amount = content("price", "product:price:amount", "og:price:amount") else { return }
        let code = content("pricecurrency", "product:price:currency", "og:price:currency")
        price = PriceRange.units(.string(amount), of: code, in: item.currency)
    }
}
