/// Threads of our own for stages: one that spins or blocks starves neither timers nor, for long, other stages.
package final class StageExecutor: TaskExecutor, Sendable {
    private let crew: ExecutorCrew
    private let commonLane: ExecutorLane

    /// - Parameters:
    ///   - threads: How many stages may compute at one moment.
    ///   - lossLimit: How many threads may be missing at one moment before new calls are refused.
    package init(threads: Int, lossLimit: Int = 16) {
        precondition(threads > 0 && lossLimit > 0, "an executor needs a thread and may lose one")
        crew = ExecutorCrew(threads: threads, lossLimit: lossLimit)
        commonLane = ExecutorLane(crew: crew)
    }

    deinit {
        crew.shutDown()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        commonLane.enqueue(job)
    }

    /// How many threads were ever lost to calls that outlived their deadline.
    package var losses: Int { crew.losses }
    /// How many of them have not come back.
    package var lostNow: Int { crew.lostNow }

    /// Lets the threads end once nothing waits; calls made from then on are refused.
    package func shutDown() {
        crew.shutDown()
    }

    /// A path for one call: the one that its predecessor has just left, or a fresh one.
    func lane(following last: ExecutorLane?) throws(StageFailure) -> ExecutorLane {
        if crew.isExhausted {
            throw StageFailure(
                .platform,
                code: StageFailure.executorExhausted,
                "\(crew.lostNow) threads are lost in calls that never returned, or the executor was shut down"
            )
        }
        return last ?? ExecutorLane(crew: crew)
    }
}
