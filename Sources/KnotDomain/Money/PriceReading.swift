/// How often a listed price is paid by two people, as the texts beside it say.
///
/// A price counts twice only where a text gives an explicit amount per head that equals it. Where twice such an amount
/// equals it, or a text says that it is for two, it is the total already. "For two" alone decides nothing.
package struct PriceReading: Hashable, Sendable {
    /// What decided.
    package enum Basis: Hashable, Sendable {
        /// No text says otherwise.
        case listed
        /// An amount per head equals the listed price.
        case perHead
        /// Twice an amount per head equals the listed price.
        case twicePerHead
        /// A text says that the price is for two.
        case forTwo
    }

    /// 2 when the listed price is for one of the two, else 1.
    package let party: Int
    package let basis: Basis
    private let listed: Int

    /// Reads the title, the description and whatever else the provider says about the price.
    package init(listed: Int, currency: Currency, texts: [String]) {
        self.listed = listed
        var perHead: Set<Int> = []
        var isForTwo = false
        for text in texts where PriceText.mayGivePrice(text) {
            let phrases = PricePhrases(PriceText(text, currency: currency).elements)
            perHead.formUnion(phrases.amountsPerHead)
            isForTwo = isForTwo || phrases.saysForTwo(listed)
        }
        let isPerHead = listed > 0 && perHead.contains(listed)
        let isTwice = listed > 0 && listed % 2 == 0 && perHead.contains(listed / 2)
        basis = isForTwo ? .forTwo : isPerHead ? .perHead : isTwice ? .twicePerHead : .listed
        party = basis == .perHead ? 2 : 1
    }

    /// What two people pay, in minor units.
    package var total: Int { total(at: listed) }

    /// What two people pay when the same offer has this price now; it stops at the largest number.
    package func total(at price: Int) -> Int {
        let (product, overflows) = price.multipliedReportingOverflow(by: party)
        return overflows ? .max : product
    }
}
