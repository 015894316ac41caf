package import Fixtures
package import KnotDomain
package import Recommendation
package import StageGraph

/// Runs pipelines over judged fixtures, several vaults at once; the figures are the same however many.
package struct Evaluator: Sendable {
    private let engine: Engine
    private let ports: @Sendable (FixtureCase, Plan) -> StagePorts
    private let seed: UInt64
    private let atOnce: Int
    private let deadline: Duration?

    /// The ports are what a case stands on; everything random comes from the seed.
    package init(
        engine: Engine,
        seed: UInt64,
        atOnce: Int,
        deadline: Duration? = nil,
        ports: @escaping @Sendable (FixtureCase, Plan) -> StagePorts
    ) {
        self.engine = engine
        self.seed = seed
        self.atOnce = max(1, atOnce)
        self.deadline = deadline
        self.ports = ports
    }

    /// Progress is told as vaults are done, one after another.
    package func evaluate(
        _ plan: Plan,
        label: String,
        over cases: [FixtureCase],
        onProgress: @Sendable (Int) -> Void = { _ in }
    ) async -> PipelineEvaluation {
        var vaults = [EvaluatedVault?](repeating: nil, count: cases.count)
        await withTaskGroup(of: (Int, EvaluatedVault).self) { group in
            var next = 0
            func start() {
                guard next < cases.count else { return }
                let index = next
                next += 1
                group.addTask { (index, await self.vault(cases[index], plan)) }
            }
            for _ in 0..<atOnce { start() }
            var done = 0
            while let (index, vault) = await group.next() {
                vaults[index] = vault
                done += 1
                onProgress(done)
                start()
            }
        }
        return PipelineEvaluation(
            label: label,
            plan: plan,
            cases: cases,
            vaults: vaults.compactMap(\.self),
            bootstrap: Bootstrap(topics: cases.count, seed: seed)
        )
    }

    private func vault(_ fixtureCase: FixtureCase, _ plan: Plan) async -> EvaluatedVault {
        let options = RunOptions(seed: seed, subject: fixtureCase.fixture.vault.id.text, deadline: deadline)
        return EvaluatedVault(fixtureCase, await engine.report(plan, ports: ports(fixtureCase, plan), options: options))
    }
}

/// Everything one pipeline did for all judged vaults.
package struct PipelineEvaluation: Sendable {
    package let label: String
    package let plan: Plan
    /// In the order of the fixtures.
    package let vaults: [EvaluatedVault]
    package let exposure: CatalogueExposure
    package let estimates: [Figure: Estimate]

    init(label: String, plan: Plan, cases: [FixtureCase], vaults: [EvaluatedVault], bootstrap: Bootstrap) {
        self.label = label
        self.plan = plan
        self.vaults = vaults
        // Eligible is what a judge did not rule out in at least one vault.
        var eligible: Set<String> = []
        for fixture in cases.map(\.fixture) {
            for candidate in fixture.candidates where fixture.judgments?[candidate.id]?.isForbidden != true {
                eligible.insert(EvaluatedCard.identity(of: candidate))
            }
        }
        exposure = CatalogueExposure(vaults.map { $0.cards.map(\.identity) }, eligible: eligible)
        estimates = Dictionary(
            uniqueKeysWithValues: Figure.allCases.map { figure in
                (figure, Estimate(vaults.map { $0[figure] }, bootstrap))
            }
        )
    }

    package var shownCount: Int { vaults.reduce(0) { $0 + $1.cards.count } }
    package func count(_ gate: Gate) -> Int { vaults.reduce(0) { $0 + $1.count(gate) } }
    /// Whether every gate is at zero.
    package var keepsGates: Bool { Gate.allCases.allSatisfy { count($0) == 0 } }
    /// The judged vaults that no figure by grades counts, since they show what nobody judged.
    package var ungraded: [EvaluatedVault] { vaults.filter { $0.isJudged && !$0.isGraded } }
    package func mean(_ figure: Figure) -> Double? { estimates[figure]?.mean }
}

/// Runs a pipeline over judged fixtures and says what the judges say.
package struct Judge: Sendable {
    private let engine: Engine
    private let zones: any ZoneSource
    private let embedder: (any TextEmbedder)?

    package init(engine: Engine, zones: any ZoneSource, embedder: (any TextEmbedder)? = nil) {
        self.engine = engine
        self.embedder = embedder
        self.zones = zones
    }

    /// The cases run one after another, each on the calling thread.
    package func figures(
        of plan: Plan,
        label: String,
        over cases: [FixtureCase],
        seed: UInt64 = 0,
        onProgress: (Int) -> Void = { _ in }
    ) -> JudgedFigures {
        var vaults: [JudgedVault] = []
        for (index, fixtureCase) in cases.enumerated() {
            let ports = StagePorts(
                fixtureCase,
                asking: plan.askedProviders,
                asOf: nil,
                embedder: embedder,
                zones: zones,
                clock: FixtureClock(fixtureCase.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
            )
            let options = RunOptions(seed: seed, subject: fixtureCase.fixture.vault.id.text)
            vaults.append(JudgedVault(fixtureCase, engine.run(plan, ports: ports, options: options)))
            onProgress(index + 1)
        }
        return JudgedFigures(label: label, vaults: vaults)
    }
}

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

        fileprivate init(_ candidate: Candidate, _ judgment: Judgment?) {
            self.candidate = candidate.id
            title = candidate.title
            grade = judgment?.grade
            isForbidden = judgment?.isForbidden ?? false
            why = judgment?.why
        }
    }

    package let name: String
    package let outcome: Outcome
    package let shown: [Shown]
    /// Three of what the pipeline's filters left, as each baseline chooses them.
    let baselines: [Baseline: [Shown]]

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

extension JudgedVault {
    fileprivate init(_ fixtureCase: FixtureCase, _ run: EngineRun) {
        func shown(_ candidates: [Candidate]) -> [Shown] {
            candidates.map { Shown($0, fixtureCase.fixture.judgments?[$0.id]) }
        }
        var chosen: [Candidate] = []
        if case .success(let set) = run.result { chosen = set.choices.map(\.offer.candidate) }
        self.init(
            name: fixtureCase.stem,
            outcome: run.outcome,
            shown: shown(chosen),
            baselines: Dictionary(uniqueKeysWithValues: Baseline.allCases.map { ($0, shown($0.choice(from: run))) })
        )
    }
}

/// The judged figures of one pipeline over a folder of fixtures; gates first.
package struct JudgedFigures: Sendable {
    package let label: String
    package let vaults: [JudgedVault]

    package var shownCount: Int { vaults.reduce(0) { $0 + $1.shown.count } }
    package var forbiddenCount: Int { vaults.reduce(0) { $0 + $1.forbiddenCount } }
    package var shortCount: Int { vaults.filter { $0.outcome == .short || $0.outcome == .failed }.count }
    /// Means over the vaults whose cards were all judged; nil where there is none.
    package var precision: Double? { mean(\.precision) }
    package var meanGrade: Double? { mean(\.meanGrade) }
    package var delightShare: Double? { mean { $0.hasDelight.map { $0 ? 1 : 0 } } }
    /// Vaults with a card that nobody judged, which are in none of those means.
    package var ungraded: [JudgedVault] { vaults.filter { $0.meanGrade == nil } }
    /// The mean share of places with a card that somebody judged.
    package var judgedShare: Double? { mean(\.judgedShare) }

    private func mean(_ value: (JudgedVault) -> Double?) -> Double? { DefinedMean(vaults.map(value)).mean }
}
