import Fixtures
import KnotDomain
import Recommendation
import StageGraph
import TestSupport

@testable import VaultStore

extension StoredWorld {
    /// Runs a pipeline for the vault as the source has it now, and stores nothing.
    func run(
        _ pipeline: String,
        of source: PostgresVaultSource,
        with embedder: VaultEmbedder
    ) async throws -> EngineRun {
        var ports = StagePorts(
            try FixtureLoader(readings: .rules).load(Self.path("dev-01")),
            asOf: nil,
            refresh: nil,
            zones: ZoneDirectory(),
            clock: FixtureClock(brief.asOf)
        )
        ports.vaults = source
        ports.embedder = embedder
        return await Scene.engine.report(try Scene.plan(pipeline), ports: ports, options: RunOptions())
    }
}
