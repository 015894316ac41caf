import KnotDomain
import StageGraph

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
