import JSONDocument
import KnotDomain

/// A choice's price for people: short for the edge of the card, and what else there is to know about it.
struct PriceText: Sendable, Equatable {
    /// `USD 42.00`, or that it is unknown.
    let short: String
    /// The total for two and the amount against the budget, where they differ from the price; else empty.
    let details: String

    init(_ choice: JSONValue, budgetCurrency: Currency?) {
        guard let price = choice["price_cents"]?.int,
            let currency = choice["currency"]?.string.flatMap({ Currency($0) })
        else {
            short = "price unknown"
            details = ""
            return
        }
        let total = choice["total_cents"]?.int ?? price
        let isPerPerson = choice["party"]?.int == 2 && total != price
        var parts: [String] = []
        if isPerPerson {
            parts.append("\(Money(price, currency)) a person, \(Money(total, currency)) for two")
        } else if total != price {
            parts.append("\(Money(total, currency)) in all")
        }
        if let budget = choice["budget_cents"]?.int, let budgetCurrency, budgetCurrency != currency {
            parts.append("\(Money(budget, budgetCurrency)) of the budget")
        }
        short = Money(price, currency).description
        details = parts.joined(separator: "; ")
    }
}
