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

    /// What an offer asks; parts of it that are over, or that do not hold yet, ask nothing.
    ///
    /// Notes where it says a price that nobody can read, in which case it may say another that somebody can.
    init?(
        _ offer: SchemaNode,
        in currency: Currency,
        isUnreadable: inout Bool,
        isNow: (SchemaNode) -> Bool
    ) {
        func units(_ value: JSONValue?, of code: String?) -> Int? {
            switch Self.price(value, of: code, in: currency) {
            case .minorUnits(let amount): return amount
            case .unreadable: isUnreadable = true
            case nil: break
            }
            return nil
        }
        let code = offer.text("pricecurrency")
        if let price = units(offer["price"], of: code) {
            self.init(low: price, high: price)
        } else if let low = units(offer["lowprice"], of: code) {
            let high = units(offer["highprice"], of: code)
            self.init(low: low, high: high.map { max($0, low) })
        } else {
            let parts = offer.nodes("pricespecification")
            // Where one price is said with its tax, none without it is what is paid.
            let hasGross = parts.contains { $0["valueaddedtaxincluded"]?.flag == true }
            for part in parts where isNow(part) && part.isAskedOfOne {
                let kind = SchemaNode.local(part.text("pricetype") ?? "").lowercased()
                // What a hundred grams or an hour cost is not what the thing costs.
                guard !Self.struckOut.contains(kind), part["referencequantity"] == nil, !part.isOfMembers else {
                    continue
                }
                if hasGross, part["valueaddedtaxincluded"]?.flag == false { continue }
                guard let price = units(part["price"], of: part.text("pricecurrency") ?? code) else { continue }
                self.init(low: price, high: price)
                return
            }
            return nil
        }
    }

    /// A price in the item's currency; one in another says nothing of this one, and nothing is not what it costs.
    static func price(_ value: JSONValue?, of code: String?, in currency: Currency) -> WrittenPrice? {
        let named = code.map { $0.filter { !$0.isWhitespace }.uppercased() }
        guard named == nil || named.flatMap(Currency.init) == currency else { return nil }
        let texts = SchemaNode.texts(value)
        guard let text = texts.first, let price = WrittenPrice(text, in: currency, isNamed: named != nil) else {
            return nil
        }
        guard texts.count == 1, case .minorUnits(let amount) = price, amount <= most else { return .unreadable }
        return amount > 0 ? price : nil
    }

    /// What the item costs now by its offers, as far as anybody can tell.
    ///
    /// Of many forms of an item at many prices the listed one is the one that was offered, as long as it is among them. What
    /// is sold out costs nobody anything, unless there is nothing else.
    static func now(in offers: [ItemOffer], listed: Int?, isSure: Bool) -> AvailabilityProbe.PriceFinding {
        let new = offers.contains { !$0.isUsed } ? offers.filter { !$0.isUsed } : offers
        let priced = new.filter { $0.price != nil || $0.isUnreadable }
        let there = priced.filter { $0.state != .outOfStock }
        let counted = there.isEmpty ? priced : there
        let ranges = counted.compactMap(\.price)
        guard isSure, !counted.isEmpty else { return .notLooked }
        if let listed, ranges.contains(where: { $0.low <= listed && listed <= $0.high ?? .max }) {
            return .minorUnits(listed)
        }
        // What is asked and cannot be read may be anything.
        guard counted.count == ranges.count, let least = ranges.map(\.low).min() else { return .unknown }
        if ranges.allSatisfy({ $0.low == least && $0.high == least }) { return .minorUnits(least) }
        let most = ranges.contains { $0.high == nil } ? nil : ranges.compactMap(\.high).max()
        guard let listed else { return .between(least, most) }
        if listed < least { return .minorUnits(least) }
        return most.map { listed > $0 ? .minorUnits($0) : .notLooked } ?? .notLooked
    }
}
