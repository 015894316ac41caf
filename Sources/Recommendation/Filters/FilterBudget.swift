import KnotDomain
package import StageGraph

/// Drops what costs the two of them more or less than the tier's budget, in the budget's currency, both bounds included.
package struct FilterBudget: FilterStage {
    package static let kind = "filter.budget"
    package static let revision = 3
    package static let summary = "Drops offers outside the budget, per person and in any currency."
    static let brief = InputPort<Brief>("brief")
    package static let inputs = [brief.declaration]

    package init() {}

    package func facts(
        for pool: Pool<Offer>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Brief {
        let brief = try inputs.value(Self.brief)
        let unlisted = Set(pool.items.filter { Self.lacksRate($0, brief) }.map(\.candidate.currency)).sorted()
        for currency in unlisted {
            context.note(
                "rate_missing",
                "no rate from \(currency) to \(brief.budget.currency); such prices count as unknown",
                degrades: false
            )
        }
        if brief.hasOldRates, pool.items.contains(where: { Self.isConverted($0, brief) }) {
            let day = brief.rates.asOf
            context.note("rates_stale", "prices were converted by rates of \(day), over 30 days old", degrades: false)
        }
        return brief
    }

    package func verdict(on item: Offer, given brief: Brief) throws(StageFailure) -> FilterVerdict {
        if Self.lacksRate(item, brief) { return .keepFlagged(["rate_missing"]) }
        guard let total = item.price.total(of: item.candidate, in: brief.budget, rates: brief.rates) else {
            return .keepFlagged(["price_unknown"])
        }
        return BudgetRule.verdict(on: total, in: brief.budget)
    }

    private static func isConverted(_ item: Offer, _ brief: Brief) -> Bool {
        item.candidate.currency != brief.budget.currency && item.price.totalCents != nil && !lacksRate(item, brief)
    }

    private static func lacksRate(_ item: Offer, _ brief: Brief) -> Bool {
        item.price.totalCents != nil && !brief.hasRate(from: item.candidate.currency)
    }
}

/// The one rule for totals and budgets, for the filter and for prices that moved.
enum BudgetRule {
    static func verdict(on total: Int, in budget: Budget) -> FilterVerdict {
        if total > budget.maximum {
            return .drop(reason: "over_budget", evidence: "\(total) > \(budget.maximum) \(budget.currency)")
        }
        if total < budget.minimum {
            return .drop(reason: "under_budget", evidence: "\(total) < \(budget.minimum) \(budget.currency)")
        }
        return .keep
    }
}
