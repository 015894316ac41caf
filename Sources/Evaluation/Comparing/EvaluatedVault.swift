import KnotDomain
package import Recommendation
import StageGraph

/// What one pipeline did for one judged vault, with every figure of it.
package struct EvaluatedVault: Sendable {
    /// The fixture file's name without its ending.
    package let name: String
    package let story: String?
    package let traits: VaultTraits
    /// Whether anybody judged any of its candidates; else only figures that need no judge are defined.
    package let isJudged: Bool
    package let outcome: Outcome
    /// The code of what ended the run; nil for a run that ended well.
    package let failure: String?
    package let cards: [EvaluatedCard]
    package let gates: [Gate: Int]
    /// Without an entry: undefined here.
    package let figures: [Figure: Double]

    /// Whether every card it shows was judged; else its grades are unknown, which is not the same as poor.
    package var isGraded: Bool { isJudged && cards.allSatisfy { $0.grade != nil } }
    package func count(_ gate: Gate) -> Int { gates[gate] ?? 0 }
    package subscript(figure: Figure) -> Double? { figures[figure] }
}

extension EvaluatedVault {
    init(_ fixtureCase: FixtureCase, _ run: EngineRun) {
        let fixture = fixtureCase.fixture
        var cards: [EvaluatedCard] = []
        var choices: [Choice] = []
        var failure: String?
        switch run.result {
        case .failure(let error): failure = error.code
        case .success(let set):
            choices = set.choices
            let watch = GateWatch(fixture, budget: set.brief.budget)
            for (index, choice) in choices.enumerated() {
                let judgment = fixture.judgments?[choice.offer.candidate.id]
                let broken = watch.broken(by: choice, after: choices.prefix(index), judgment)
                cards.append(EvaluatedCard(choice, judgment: judgment, broken: broken))
            }
        }
        var gates: [Gate: Int] = [:]
        for gate in cards.flatMap(\.broken) { gates[gate, default: 0] += 1 }
        if cards.count < 3 { gates[.short] = 1 }
        var figures = VaultFigures(fixture, choices).values
        figures[.optimalityGap] = OptimalityGap(run).map { 100 * $0.share }
        self.init(
            name: fixtureCase.stem,
            story: fixture.story,
            traits: VaultTraits(fixtureCase),
            isJudged: fixture.isJudged,
            outcome: run.outcome,
            failure: failure,
            cards: cards,
            gates: gates,
            figures: figures
        )
    }
}
