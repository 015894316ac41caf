import JSONDocument
import KnotDomain
import Recommendation

/// What an offer asks: one price, or from one to another where it stands for several.
struct PriceRange: Hashable {
    let low: Int
    /// Nil where only the least is said.
    let high: Int?

    /// The most that anything costs here, in the smallest coins of any currency; what is more is a slip of the pen.
    private static let most = 1_000_000_000_000
    /// What prices are called that nobody is asked.
    private static let struckOut: Set<String> = ["listprice", "strikethroughprice", "msrp", "srp", "regularprice"]

    private init(low: Int, high: Int?) {
        self.low = low
        self.high = high
    }

    /// What an offer asks; parts of it that are over ask nothing.
    init?(_ offer: SchemaNode, in currency: Currency, isOver: (SchemaNode) -> Bool) {
        let code = offer.text("pricecurrency")
        func units(_ name: String) -> Int? { Self.units(offer[name], of: code, in: currency) }
        if let price = units("price") {
            self.init(low: price, high: price)
        } else if let low = units("lowprice") {
            let high = units("highprice")
            self.init(low: low, high: high.map { max($0, low) })
        } else {
            let parts = offer.nodes("pricespecification")
            // Where one price is said with its tax, none without it is what is paid.
            let hasGross = parts.contains { $0["valueaddedtaxincluded"]?.flag == true }
            for part in parts where !isOver(part) {
                let kind = SchemaNode.local(part.text("pricetype") ?? "").lowercased()
                // What a hundred grams or an hour cost is not what the thing costs.
                guard !Self.struckOut.contains(kind), part["referencequantity"] == nil, !part.isOfMembers else {
                    continue
                }
                if hasGross, part["valueaddedtaxincluded"]?.flag == false { continue }
                guard let price = Self.units(part["price"], of: part.text("pricecurrency") ?? code, in: currency) else {
                    continue
                }
                self.init(low: price, high: price)
                return
            }
            return nil
        }
    }

    /// A price in the item's currency; a price in another one says nothing of this one.
    static func units(_ value: JSONValue?, of code: String?, in currency: Currency) -> Int? {
        let written = value?.string?.filter { !$0.isWhitespace }
        guard let value, let amount = written.map({ DecimalAmount($0) }) ?? value.decimal,
            code.flatMap({ Currency($0.filter { !$0.isWhitespace }.uppercased()) }) == currency,
            !isAmbiguous(written ?? "", currency)
        else { return nil }
        return amount.minorUnits(of: currency).flatMap { (1...most).contains($0) ? $0 : nil }
    }

    /// `1.299` is a thousand and more to some writers, and a little more than one to others.
    private static func isAmbiguous(_ written: String, _ currency: Currency) -> Bool {
        let parts = written.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[1].utf8.count == 3 && currency.exponent != 3
    }

    /// What the item costs now by its offers; nil where nobody can tell.
    ///
    /// Of many forms of an item at many prices the listed one is the one that was offered, as long as it is among them. What
    /// is sold out costs nobody anything, unless there is nothing else.
    static func now(in offers: [ItemOffer], listed: Int?, isSure: Bool) -> Int? {
        let new = offers.contains { !$0.isUsed } ? offers.filter { !$0.isUsed } : offers
        let priced = new.filter { $0.price != nil }
        let there = priced.filter { $0.state != .outOfStock }
        let ranges = (there.isEmpty ? priced : there).compactMap(\.price)
        guard isSure, let least = ranges.map(\.low).min() else { return nil }
        if ranges.allSatisfy({ $0.low == least && $0.high == least }) { return least }
        guard let listed else { return nil }
        if ranges.contains(where: { $0.low <= listed && listed <= $0.high ?? .max }) { return listed }
        if listed < least { return least }
        let most = ranges.map { $0.high ?? .max }.max() ?? least
        return listed > most ? most : nil
    }
}
