import Synchronization

/// One call with a deadline: it ends exactly once, by its work, its deadline or by being given up, whichever is first.
package final class DeadlineCall<Value: Sendable>: Sendable {
    package typealias Completion = @Sendable (Result<Value, StageFailure>) -> Void
    typealias Work = @Sendable () async -> Value
    /// Called once with how the call ended, and with its lane when its thread can take another call at once.
    typealias Ending = @Sendable (Result<Value, StageFailure>, ExecutorLane?) -> Step?

    /// A call that is ready to be carried by the lane it was made for.
    struct Step: Sendable {
        let call: DeadlineCall
        let work: Work
    }

    private struct State {
        /// Nil once the call has ended; taking it is what decides who ends it.
        var ending: Ending?
        var ticket: UInt64?
    }

    private let state: Mutex<State>
    private let lane: ExecutorLane
    private let timers: DeadlineTimers
    private let late: @Sendable (Value) -> Void

    init(
        lane: ExecutorLane,
        timers: DeadlineTimers,
        late: @escaping @Sendable (Value) -> Void,
        ending: @escaping Ending
    ) {
        state = Mutex(State(ending: ending))
        self.lane = lane
        self.timers = timers
        self.late = late
    }

    /// Starts the clock if there is a deadline.
    func arm(until deadline: ContinuousClock.Instant?) {
        guard let deadline else { return }
        // The timer must not keep the call's results alive for as long as the deadline is away.
        let ticket = timers.call(at: deadline) { [weak self] in self?.giveUp(.deadlinePassed) }
        state.withLock { $0.ticket = ticket }
    }

    /// Starts the work on a lane of its own; calls that follow from it go on there, without a change of threads.
    func begin(_ work: @escaping Work) {
        lane.carry { await Self.carry(Step(call: self, work: work)) }
    }

    private static func carry(_ first: Step) async {
        var next: Step? = first
        while let step = next {
            let value = await step.work()
            next = step.call.end(value)
        }
    }

    /// Ends the call now with this failure unless it has ended; never waits for the work, which is told to stop.
    package func giveUp(_ failure: StageFailure) {
        guard let ending = takeEnding() else { return }
        lane.condemn()
        _ = ending(.failure(failure), nil)
    }

    /// Ends the call with its result and returns what its lane is to carry next.
    private func end(_ value: Value) -> Step? {
        guard let ending = takeEnding() else {
            late(value)
            return nil
        }
        return ending(.success(value), lane)
    }

    private func takeEnding() -> Ending? {
        let (ending, ticket): (Ending?, UInt64?) = state.withLock { state in
            defer { state = State() }
            return (state.ending, state.ticket)
        }
        if let ticket { timers.callOff(ticket) }
        return ending
    }
}

extension StageFailure {
    /// What a call ends with when its time is over.
    static let deadlinePassed = StageFailure(.platform, code: deadline, "the time for this call is over")
}
