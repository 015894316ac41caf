import Console
package import KnotDomain

/// A choice's price for people: short for the edge of the card, and what else there is to know about it.
struct PriceText: Sendable, Equatable {
    /// `USD 42.00`, or that it is unknown.
    let short: String
    /// The total for two and the amount against the budget, where they differ from the price; else empty.
    let details: String

    init(_ choice: ShownChoice, budgetCurrency: Currency?) {
        guard let price = choice.priceCents, let currency = choice.currency else {
            short = "price unknown"
            details = ""
            return
        }
        let total = choice.totalCents ?? price
        let isPerPerson = choice.party == 2 && total != price
        var parts: [String] = []
        if isPerPerson {
            parts.append("\(Money(price, currency)) a person, \(Money(total, currency)) for two")
        } else if total != price {
            parts.append("\(Money(total, currency)) in all")
        }
        if let budget = choice.budgetCents, let budgetCurrency, budgetCurrency != currency {
            parts.append("\(Money(budget, budgetCurrency)) of the budget")
        }
        short = Money(price, currency).description
        details = parts.joined(separator: "; ")
    }
}

/// Dates as people read them.
package enum DateText {
    /// `2026-03-15` as `15 March 2026`; anything else as it is.
    package static func day(_ text: String) -> String {
        guard let date = CivilDate(iso8601: text) else { return TerminalText.safe(text, limit: 40) }
        return "\(date.dayAndMonth) \(date.year)"
    }

    /// `2026-03-15T19:30:00` as `15 March 2026, 19:30`, with the name of the zone where it is given.
    package static func local(_ text: String, zone: String?) -> String {
        let parts = text.split(separator: "T", maxSplits: 1)
        guard parts.count == 2, parts[1].count >= 5 else { return day(text) }
        return
            "\(day(String(parts[0]))), \(parts[1].prefix(5))\(zone.map { " (\($0.replacing("_", with: " ")) time)" } ?? "")"
    }

    /// A moment as the clocks of a zone show it: `15 March 2026, 19:30 -04:00`.
    package static func moment(_ instant: Instant, in zone: ZoneRules) -> String {
        let offset = zone.offsetSeconds(at: instant) / 60
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let name = "\(offset < 0 ? "-" : "+")\(padded(abs(offset) / 60)):\(padded(abs(offset) % 60))"
        let local = zone.local(at: instant)
        return "\(day(local.date.description)), \(local.description.split(separator: "T")[1].prefix(5)) "
            + (offset == 0 && zone == .utc ? "UTC" : name)
    }

    /// `2026-03-15T19:30:00-04:00` as `15 March 2026, 19:30 -04:00`: the written time is the local one.
    package static func moment(_ text: String) -> String {
        let parts = text.split(separator: "T", maxSplits: 1)
        guard parts.count == 2, Instant(iso8601: text) != nil, parts[1].count >= 5 else { return day(text) }
        let zone = parts[1].drop { $0 != "Z" && $0 != "+" && $0 != "-" }
        return "\(day(String(parts[0]))), \(parts[1].prefix(5)) \(zone == "Z" ? "UTC" : zone)"
    }
}

/// Numbers with two digits behind the point.
package enum DecimalText {
    package static func hundredths(_ number: Double) -> String {
        guard number.isFinite, number.magnitude < 1e12 else { return "-" }
        let hundredths = Int((number * 100).rounded())
        let digits = String(hundredths.magnitude)
        let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        return "\(hundredths < 0 ? "-" : "")\(padded.dropLast(2)).\(padded.suffix(2))"
    }
}
