/// Runs plans; one for a process is enough, and any number of runs may go on at once.
package final class GraphRunner: Sendable {
    package let executor: StageExecutor
    package let deadlines: DeadlineKeeper

    package init(executor: StageExecutor) {
        self.executor = executor
        deadlines = DeadlineKeeper(executor: executor)
    }

    /// Runs a plan and blocks the calling thread, which is the run's clock; never call it on the shared pool.
    package func run(_ plan: BoundPlan, options: RunOptions = RunOptions()) -> RunReport {
        RunDriver(plan, options: options, keeper: deadlines).run()
    }

    /// Runs a plan on a thread of its own and suspends; cancelling the task cancels the run.
    package func report(of plan: BoundPlan, options: RunOptions = RunOptions()) async -> RunReport {
        var options = options
        let cancellation = options.cancellation ?? RunCancellation()
        options.cancellation = cancellation
        let driver = RunDriver(plan, options: options, keeper: deadlines)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Resumed once, by the run's own thread, or here when the system has no thread left.
                let started = OwnThread.start { continuation.resume(returning: driver.run()) }
                if !started { continuation.resume(returning: driver.refuse()) }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
