/// What must never happen; gates are counts and not means, and a gate is kept at zero.
package enum Gate: String, CaseIterable, Sendable {
    /// A card that a judge ruled out.
    case forbidden
    /// A card whose known total is outside the occasion's budget.
    case budget
    /// A card that its own page says cannot be had.
    case unobtainable
    /// A card that the vault's history has already.
    case repeated
    /// A card that is the same as another of the three.
    case duplicate
    /// A vault with fewer than three cards.
    case short

    /// What is counted, in words.
    package var title: String {
        switch self {
        case .forbidden: "forbidden shown"
        case .budget: "outside the budget"
        case .unobtainable: "not to be had"
        case .repeated: "shown before"
        case .duplicate: "twice in a set"
        case .short: "fewer than three"
        }
    }
}
