package import Composition
package import Console
package import Fixtures
import JSONDocument
package import Recommendation
package import StageGraph

/// Runs recordings again: effects are answered from the recording and never performed, stages always run.
///
/// The recorded plan must find every answer it had; another plan falls back where the recording has none.
package enum ReplayRuns {
    /// A recording, read and understood.
    package static func recording(_ path: String) throws(CommandError) -> RecordedRun {
        let bytes = try InputFile.read(path)
        let cassette: Cassette
        do throws(SealedLinesError) {
            cassette = try Cassette(ndjson: bytes)
        } catch {
            throw CommandError(
                .badInput,
                "\(error.message) (line \(error.line))",
                at: path,
                todo: "record the run again"
            )
        }
        let reader = JSONReader(cassette.request, path: "$.request")
        guard let run = RecordedRun(cassette, reading: reader) else {
            throw CommandError(
                .badInput,
                "the recording's request cannot be read",
                at: path,
                todo: "record the run again",
                problems: reader.problems.list.map { CommandProblem(file: path, $0) }
            )
        }
        return run
    }

    /// Runs a recording under a plan.
    package static func run(
        _ recording: RecordedRun,
        _ plan: Plan,
        seed: UInt64,
        _ shared: SharedOptions
    ) async -> EngineRun {
        let engine = Engine(threads: shared.threads ?? MachineCores.count)
        let world = await recording.world(for: plan, seed: seed, engine)
        let options = world.options(seed: seed, deadline: shared.deadline)
        return await engine.report(plan, ports: world.ports, options: options)
    }
}
