import JSONDocument
package import StageGraph

/// Runs plans: one executor, any number of runs, one after another or side by side.
package struct Engine: Sendable {
    private let runner: GraphRunner

    /// Threads for stages; joins and timers have their own.
    package init(threads: Int) {
        runner = GraphRunner(executor: StageExecutor(threads: threads))
    }

    /// Runs a plan on the calling thread, which waits for it.
    package func run(_ plan: Plan, ports: StagePorts, options: RunOptions) throws(PipelineError) -> EngineRun {
        let bound = try plan.bind(.knot, ports: ports)
        let report = runner.run(bound, options: options)
        return EngineRun(plan: plan, seed: options.seed, report: report)
    }

    /// Runs a plan without blocking the caller's thread.
    package func report(
        _ plan: Plan,
        ports: StagePorts,
        options: RunOptions
    ) async throws(PipelineError) -> EngineRun {
        let bound = try plan.bind(.knot, ports: ports)
        return EngineRun(plan: plan, seed: options.seed, report: await runner.report(of: bound, options: options))
    }
}
