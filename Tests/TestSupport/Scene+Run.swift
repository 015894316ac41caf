package import JSONDocument
import KnotDomain
package import Recommendation
import Shipped
package import StageGraph

extension Scene {
    /// One engine for all tests that lose no threads.
    package static let engine = Engine(threads: 2)

    /// A shipped pipeline's plan with settings as `--set` takes them and a patch as an experiment file holds it.
    package static func plan(
        _ pipeline: String,
        settings: [String] = [],
        patch: JSONValue? = nil
    ) throws -> Plan {
        let definition = try PipelineLoader(source: ShippedPipelines())
            .load(
                pipeline,
                experiments: patch.map { [ExperimentLayer(file: "patch.json", patch: $0)] } ?? [],
                settings: settings.compactMap { CommandLineSetting($0) }
            )
        return try Plan(definition, catalog: .knot)
    }

    /// Runs a shipped pipeline on this scene through the real engine, with time for the slowest machine.
    package func run(
        _ pipeline: String = ShippedPipelines.standard,
        settings: [String] = [],
        options: RunOptions = RunOptions(deadline: LastResort.limit),
        refresh: RefreshRequest? = nil,
        ports: StagePorts? = nil
    ) async throws -> EngineRun {
        await Self.engine.report(
            try Self.plan(pipeline, settings: settings),
            ports: ports ?? self.ports(refresh: refresh),
            options: options
        )
    }
}
