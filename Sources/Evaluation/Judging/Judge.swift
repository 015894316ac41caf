package import KnotDomain
package import Recommendation
package import StageGraph

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
    ) throws(PipelineError) -> JudgedFigures {
        var vaults: [JudgedVault] = []
        for (index, fixtureCase) in cases.enumerated() {
            let ports = StagePorts(
                fixtureCase,
                asOf: nil,
                embedder: embedder,
                zones: zones,
                clock: FixtureClock(fixtureCase.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
            )
            let options = RunOptions(seed: seed, subject: fixtureCase.fixture.vault.id.text)
            vaults.append(JudgedVault(fixtureCase, try engine.run(plan, ports: ports, options: options)))
            onProgress(index + 1)
        }
        return JudgedFigures(label: label, vaults: vaults)
    }
}
