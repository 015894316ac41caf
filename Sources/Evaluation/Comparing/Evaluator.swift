import KnotDomain
package import Recommendation
package import StageGraph

/// Runs pipelines over judged fixtures, several vaults at once; the figures are the same however many.
package struct Evaluator: Sendable {
    private let engine: Engine
    private let ports: @Sendable (FixtureCase) -> StagePorts
    private let seed: UInt64
    private let atOnce: Int
    private let deadline: Duration?

    /// The ports are what a case stands on; everything random comes from the seed.
    package init(
        engine: Engine,
        seed: UInt64,
        atOnce: Int,
        deadline: Duration? = nil,
        ports: @escaping @Sendable (FixtureCase) -> StagePorts
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
    ) async throws(PipelineError) -> PipelineEvaluation {
        var vaults = [EvaluatedVault?](repeating: nil, count: cases.count)
        let results = await withTaskGroup(of: (Int, Result<EvaluatedVault, PipelineError>).self) { group in
            var results: [(Int, Result<EvaluatedVault, PipelineError>)] = []
            var next = 0
            func start() {
                guard next < cases.count else { return }
                let index = next
                next += 1
                group.addTask { (index, await self.vault(cases[index], plan)) }
            }
            for _ in 0..<atOnce { start() }
            while let result = await group.next() {
                results.append(result)
                onProgress(results.count)
                start()
            }
            return results
        }
        // The first case that cannot run speaks for all, whichever was found first.
        for (index, result) in results.sorted(by: { $0.0 < $1.0 }) { vaults[index] = try result.get() }
        return PipelineEvaluation(
            label: label,
            plan: plan,
            cases: cases,
            vaults: vaults.compactMap(\.self),
            bootstrap: Bootstrap(topics: cases.count, seed: seed)
        )
    }

    private func vault(_ fixtureCase: FixtureCase, _ plan: Plan) async -> Result<EvaluatedVault, PipelineError> {
        let options = RunOptions(seed: seed, subject: fixtureCase.fixture.vault.id.text, deadline: deadline)
        do throws(PipelineError) {
            let run = try await engine.report(plan, ports: ports(fixtureCase), options: options)
            return .success(EvaluatedVault(fixtureCase, run))
        } catch {
            return .failure(error)
        }
    }
}
