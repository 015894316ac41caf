import JSONDocument
import KnotDomain

/// What the database's columns cannot hold of a vault that is fine otherwise, said with its place.
enum VaultLimits {
    private static let greatest = Int(Int32.max)

    static func check(_ vault: Vault, _ reader: JSONReader) {
        let budgets = reader.optional("budgets")
        for tier in OccasionTier.allCases {
            guard let budget = vault.budgets[tier], let item = budgets?.optional(tier.rawValue) else { continue }
            check(budget.minimum, item, "min_cents")
            check(budget.maximum, item, "max_cents")
        }
        for (item, place) in zip(vault.history, reader.optional("history")?.items() ?? []) {
            if let price = item.priceCents { check(price, place, "price_cents") }
        }
    }

    private static func check(_ amount: Int, _ reader: JSONReader, _ name: String) {
        if amount > greatest { reader.note("\(amount) is more than the database holds (\(greatest))", at: name) }
    }
}
