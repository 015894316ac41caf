import KnotDomain
import Recommendation

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
