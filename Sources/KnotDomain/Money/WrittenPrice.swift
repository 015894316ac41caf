/// A price that stands by itself, as pages write theirs: `1,299.00`, `1.299,00 €`, `USD 1299`, `1299.-`.
package enum WrittenPrice: Hashable, Sendable {
    case minorUnits(Int)
    /// Nobody can tell what it asks, or in which currency.
    case unreadable

    /// What may stand behind a number for coins that nobody pays.
    private static let dashes: Set<Unicode.Scalar> = [".", ",", ":", "-", "–", "—"]

    /// Nil where nothing is written; without `isNamed` only a price that names its currency itself is one.
    package init?(_ text: String, in currency: Currency, isNamed: Bool) {
        let written = text.filter { !$0.isWhitespace }
        guard !written.isEmpty else { return nil }
        let plain = isNamed ? DecimalAmount(written) : nil
        let own = Self.amount(PriceText(written, currency: currency))
        guard isNamed || own != nil else { return nil }
        let amount =
            plain?.minorUnits(of: currency) ?? own ?? Self.amount(
                PriceText("\(currency.code) \(written)", currency: currency)
            ) ?? nil
        guard let amount, !Self.isAmbiguous(written, currency), !Self.isTorn(text, currency) else {
            self = .unreadable
            return
        }
        self = .minorUnits(amount)
    }

    /// The only amount; nil where there is none, and nil within where it is no amount of this currency.
    private static func amount(_ text: PriceText) -> Int?? {
        guard case .amount(let amount)? = text.elements.first else { return nil }
        let isAlone = text.elements.dropFirst().allSatisfy { element in
            if case .mark(let mark) = element { dashes.contains(mark) } else { false }
        }
        return .some(isAlone ? amount : nil)
    }

    /// `1.299` is a thousand and more to some writers, and a little more than one to others.
    private static func isAmbiguous(_ written: String, _ currency: Currency) -> Bool {
        let number = written.unicodeScalars.drop { !PriceNumber.isDigit($0) }
            .prefix { PriceNumber.isDigit($0) || $0 == "." || $0 == "," }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && (1...3).contains(parts[0].count) && parts[1].count == 3 && currency.exponent != 3
            && number.first != "0"
    }

    /// Whether a space stands in a number elsewhere than before three digits: in "45 99" the cents may be in small type.
    private static func isTorn(_ text: String, _ currency: Currency) -> Bool {
        let parts = text.split(whereSeparator: \.isWhitespace).map { Array($0.unicodeScalars) }
        return zip(parts, parts.dropFirst()).contains { left, right in
            let (before, after) = (
                left.reversed().prefix(while: PriceNumber.isDigit), right.prefix(while: PriceNumber.isDigit)
            )
            guard !before.isEmpty, !after.isEmpty else { return false }
            return after.count != 3 || before.count > 3 || currency.exponent == 3
        }
    }
}
