import JSONDocument
import KnotDomain
import Recommendation
import TextReading

/// What a page says of its item's offers in schema.org's words: in linked data, microdata or Open Graph.
///
/// A page may speak of many items. Those count that have the item's address or its name, the best of them alone; where none
/// has, the only one without a name, or what all without a name agree on.
struct OfferData {
    private(set) var signal: AvailabilityProbe.Signal?
    private(set) var price = AvailabilityProbe.PriceFinding.notLooked
    private(set) var shipping = ShippingData()
    /// What the prices of the item are in by their own word, in capitals.
    private(set) var currencies: Set<String> = []
    /// Whether it contradicts itself, so that a word may decide against it and none for it.
    private(set) var isContradicted = false
    /// Whether it says something that nobody can read, or that is over: no word, no verdict.
    private(set) var isDoubtful = false
    /// Whether anything that it offers has a name, and one that has the item's.
    private(set) var hasNames = false
    private(set) var isOfItem = false

    /// Whether it is gone by its stock alone, which a page may keep worse than its buttons; not a day that is over or called off.
    private(set) var isOfStock = true

    /// Whether it tells of an offer, as no wall and no page of nothing does.
    var isThere: Bool { signal != nil || price != .notLooked || isContradicted }

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
        let walk = ItemWalk(values, currency: item.currency, today: item.today)
        // What stands on a page that was moved may have the page's name, and not be the item.
        let heads = item.isMoved ? [] : Self.heads(of: page).map { PageItem.Name(Array($0.utf8)) }
        var (all, best) = Self.fitting(walk.items, item, heads) { $0.names }
        // A group that has no offers itself, or that is named by its forms alone, has theirs.
        if best < .byName || all.allSatisfy({ $0.offers.isEmpty && $0.signal == nil && $0.time == nil }),
            walk.items.contains(where: { !$0.groupNames.isEmpty })
        {
            (all, best) = Self.fitting(walk.items, item, heads) { $0.names + $0.groupNames }
        }
        hasNames = hasNames || all.contains { !$0.names.isEmpty }
        isOfItem = isOfItem || best > .none
        // What has another name than the item and the page is another thing, which a shop sells beside it.
        if best == .none, !item.title.isEmpty || !heads.allSatisfy(\.words.isEmpty) {
            all.removeAll { one in
                !one.isMain && one.names.contains { !PlainLetters.words(of: PlainLetters.plain($0)).isEmpty }
            }
        }
        let isSure = best > .none || all.count == 1
        let choice = ItemChoice(all, for: item)
        let main = isSure ? choice.items : all
        let signals = main.compactMap(\.signal)
        if isSure {
            signal = choice.signal
            if choice.isOfOtherDays { isContradicted = true }
        } else if let first = signals.first {
            if Set(signals).count == 1, signals.count == main.count { signal = first } else { isContradicted = true }
        }
        isContradicted = isContradicted || signal != .inStock && main.contains(where: \.isContradicted)
        isDoubtful = isDoubtful || main.contains(where: \.isDoubtful)
        if isContradicted { signal = nil }
        if main.contains(where: \.isPast) { isOfStock = false }
        if price == .notLooked, !choice.isOfOtherDays || !isSure {
            price = PriceRange.now(in: main.flatMap(\.offers), listed: item.priceCents, isSure: isSure)
        }
        if isSure { note(main.flatMap(\.offers).flatMap(\.currencies)) }
        for one in main where isSure { for offer in one.sources { shipping.take(offer) } }
    }

    private mutating func note(_ codes: [String]) {
        currencies.formUnion(codes.map { $0.filter { !$0.isWhitespace }.uppercased() })
    }

    /// What fits the item best by such names, and how well.
    private static func fitting(
        _ items: [OfferedItem],
        _ item: PageItem,
        _ heads: [PageItem.Name],
        by names: (OfferedItem) -> [String]
    ) -> ([OfferedItem], PageItem.Fit) {
        let fits = items.map { ($0, item.fit(names: names($0), urls: $0.urls, onPageCalled: heads)) }
            .filter { !$0.0.isOfOthers || $0.1 > .partly }
        let best = fits.map(\.1).max() ?? .none
        return (fits.filter { $0.1 == best }.map(\.0), best)
    }

    /// The names that a page gives itself: its headings, and the parts of its title.
    static func heads(of page: PageText) -> [String] {
        let parts = page.title.split { "|–—·»".contains($0) }.map(String.init)
        return Array(page.headings.prefix(5)) + [page.title] + Array(parts.prefix(5))
    }

    private static func day(_ text: String) -> CivilDate? { CivilDate(iso8601: String(text.prefix(10))) }

    /// What stands in the page's own elements, outside of any item.
    private mutating func read(_ properties: [(name: String, content: String)], _ item: PageItem) {
        func content(_ names: [String]) -> String? {
            properties.first { property in names.contains(property.name) }?.content
        }
        let said = properties.filter { ["availability", "product:availability", "og:availability"].contains($0.name) }
            .compactMap { SchemaNode.state($0.content) }
        // Linked data is the more careful of the two where both are there; nobody says which of several is the item's.
        if signal == nil, !isContradicted, let first = said.first {
            if Set(said).count == 1 { signal = first } else { isDoubtful = true }
        }
        guard price == .notLooked else { return }
        let codes = ["pricecurrency", "product:price:currency", "og:price:currency"]
        note(properties.filter { codes.contains($0.name) }.map(\.content))
        // In a sale that is what it costs, whatever it cost before.
        let start = content(["product:sale_price_dates:start"]).flatMap(Self.day)
        let end = content(["product:sale_price_dates:end"]).flatMap(Self.day)
        let isOn = item.today.map { (start ?? $0) <= $0 && $0 <= (end ?? $0) } ?? true
        let sale = content(isOn ? ["product:sale_price:amount"] : []).flatMap { amount in
            let code = content(["product:sale_price:currency"]) ?? content(codes)
            return PriceRange.price(.string(amount), of: code, in: item.currency)
        }
        let usual = content(["price", "product:price:amount", "og:price:amount"]).flatMap { amount in
            PriceRange.price(.string(amount), of: content(codes), in: item.currency)
        }
        let prices = [sale, usual].compactMap { $0 }
        let amounts = prices.compactMap { if case .minorUnits(let amount) = $0 { amount } else { nil } }
        price = amounts.first.map { .minorUnits($0) } ?? (prices.isEmpty ? .notLooked : .unknown)
    }
}
