package import KnotDomain
package import Recommendation

/// One fixture's verdict on what a pipeline showed.
package struct JudgedVault: Sendable {
    /// One shown card with the judge's word on it.
    package struct Shown: Sendable {
        package let candidate: CandidateID
        package let title: String
        package let grade: Int
        package let isForbidden: Bool
        package let why: String?
    }

    package let name: String
    package let outcome: Outcome
    package let shown: [Shown]

    init(_ fixtureCase: FixtureCase, _ run: EngineRun) {
        name = fixtureCase.stem
        outcome = run.outcome
        guard case .success(let choices) = run.result else {
            shown = []
            return
        }
        shown = choices.choices.map { choice in
            let judgment = fixtureCase.fixture.judgments?[choice.offer.candidate.id]
            return Shown(
                candidate: choice.offer.candidate.id,
                title: choice.offer.candidate.title,
                grade: judgment?.grade ?? 0,
                isForbidden: judgment?.isForbidden ?? false,
                why: judgment?.why
            )
        }
    }

    package var forbiddenCount: Int { shown.filter(\.isForbidden).count }
    /// Always over three: a short set must not look better for being short.
    package var precision: Double { Double(shown.filter { $0.grade >= 2 }.count) / 3 }
    package var meanGrade: Double { Double(shown.reduce(0) { $0 + $1.grade }) / 3 }
    package var hasDelight: Bool { shown.contains { $0.grade == 3 } }
}
