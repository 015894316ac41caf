import Fixtures
import KnotDomain
import Recommendation

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

/// Sees which gates a card breaks, from facts alone and from the judge's word.
struct GateWatch: Sendable {
    private let fixture: Fixture
    private let budget: Budget
    private let known: Set<String>

    init(_ fixture: Fixture, budget: Budget) {
        self.fixture = fixture
        self.budget = budget
        known = Set(fixture.vault.history.flatMap { [$0.title.lowercased()] + ($0.url.map { [$0] } ?? []) })
    }

    func broken(by choice: Choice, after earlier: ArraySlice<Choice>, _ judgment: Judgment?) -> [Gate] {
        let candidate = choice.offer.candidate
        var broken: [Gate] = []
        if judgment?.isForbidden == true { broken.append(.forbidden) }
        // What is not known is no breach: a page that hides its price is for the judge to rule out.
        if let cents = choice.budgetCents, !budget.contains(cents) { broken.append(.budget) }
        switch fixture.facts[candidate.id]?.check {
        case .soldOut, .closed, .gone: broken.append(.unobtainable)
        case .available, .blocked, .priceChanged, nil: break
        }
        if known.contains(candidate.title.lowercased()) || known.contains(candidate.url) { broken.append(.repeated) }
        if earlier.contains(where: { Self.isSame($0.offer.candidate, candidate) }) { broken.append(.duplicate) }
        return broken
    }

    private static func isSame(_ left: Candidate, _ right: Candidate) -> Bool {
        left.id == right.id || left.title.lowercased() == right.title.lowercased()
            || EvaluatedCard.identity(of: left) == EvaluatedCard.identity(of: right)
    }
}
