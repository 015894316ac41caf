package import KnotDomain

/// What an offer costs the two of them, as far as its listing says.
package struct OfferPrice: Sendable, Hashable {
    /// One when the listed price is for everything, two when it is asked per head.
    package let party: Int
    /// In the listed currency; nil when no price is listed or the listed one no longer holds.
    package let totalCents: Int?
    /// Whether a price was listed that no longer holds, while nobody knows the new one.
    package let hasLapsed: Bool

    init(_ candidate: Candidate) {
        // Most listings never repeat their price in words, and then nothing in the words can double it.
        let texts = [candidate.title, candidate.description ?? ""].map {
            PlainBytes.mayHide($0) ? Self.visible($0) : $0
        }
        guard let listed = candidate.priceCents, PriceEcho.mayOccur(listed, candidate.currency, in: texts) else {
            self.init(party: 1, totalCents: candidate.priceCents)
            return
        }
        let reading = PriceReading(listed: listed, currency: candidate.currency, texts: texts)
        self.init(party: reading.party, totalCents: reading.total)
    }

    /// A text without what nobody sees and what would part the words of a price.
    private static func visible(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars
        where scalar.properties.isWhitespace || !PlainScalars.isHidden(scalar) { plain.append(scalar) }
        return String(plain)
    }

    private init(party: Int, totalCents: Int?, hasLapsed: Bool = false) {
        self.party = party
        self.totalCents = totalCents
        self.hasLapsed = hasLapsed
    }

    /// The price after a check: still per head when it was before.
    func moved(to minorUnits: Int?) -> OfferPrice {
        let total = minorUnits.map { $0.multipliedReportingOverflow(by: party) }
        return OfferPrice(
            party: party,
            totalCents: total.map { $0.overflow ? .max : $0.partialValue },
            hasLapsed: minorUnits == nil && (totalCents != nil || hasLapsed)
        )
    }

    /// The total in a budget's currency; nil when the price or the rate is unknown.
    package func total(of candidate: Candidate, in budget: Budget, rates: Rates) -> Int? {
        totalCents.flatMap { rates.convert($0, from: candidate.currency, to: budget.currency) }
    }
}
