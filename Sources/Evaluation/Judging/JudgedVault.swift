package import KnotDomain
package import Recommendation

/// One fixture's verdict on what a pipeline showed.
package struct JudgedVault: Sendable {
    /// One shown card with the judge's word on it.
    package struct Shown: Sendable {
        package let candidate: CandidateID
        package let title: String
        /// Nil when nobody judged it.
        package let grade: Int?
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
                grade: judgment?.grade,
                isForbidden: judgment?.isForbidden ?? false,
                why: judgment?.why
            )
        }
    }

    package var forbiddenCount: Int { shown.filter(\.isForbidden).count }
    /// How many of the three places have a card that somebody judged, over three.
    package var judgedShare: Double { Double(shown.count { $0.grade != nil }) / 3 }
    /// Always over three, as a short set must not look better for being short; nil where a card was not judged.
    package var precision: Double? { grades.map { Double($0.count { $0 >= 2 }) / 3 } }
    package var meanGrade: Double? { grades.map { Double($0.reduce(0, +)) / 3 } }
    package var hasDelight: Bool? { grades.map { $0.contains(3) } }

    /// The grades of all shown cards; nil where one is missing, which is not the same as a grade of 0.
    private var grades: [Int]? {
        let known = shown.compactMap(\.grade)
        return known.count == shown.count ? known : nil
    }
}
