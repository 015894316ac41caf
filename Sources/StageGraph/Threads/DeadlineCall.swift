import Synchronization

/// One call with a deadline: it ends exactly once, by its work, its deadline or by being given up, whichever is first.
package final class DeadlineCall<Value: Sendable>: Sendable {
    package typealias Completion = @Sendable (Result<Value, StageFailure>) -> Void

    private struct State {
        /// Nil once the call has ended; taking it is what decides who ends it.
        var completion: Completion?
        var task: Task<Void, Never>?
        var ticket: UInt64?
        /// Set when the call ended before its task was known here.
        var mustCancel = false
    }

    private let state: Mutex<State>
    private let lane: ExecutorLane
    private let timers: DeadlineTimers
    private let late: @Sendable (Value) -> Void

    init(
        lane: ExecutorLane,
        timers: DeadlineTimers,
        late: @escaping @Sendable (Value) -> Void,
        completion: @escaping Completion
    ) {
        state = Mutex(State(completion: completion))
        self.lane = lane
        self.timers = timers
        self.late = late
    }

    /// Starts the work, and the clock if there is a deadline.
    func begin(until deadline: ContinuousClock.Instant?, _ work: @escaping @Sendable () async -> Value) {
        if let deadline {
            // The timer must not keep the call's results alive for as long as the deadline is away.
            let ticket = timers.call(at: deadline) { [weak self] in self?.giveUp(.deadlinePassed) }
            state.withLock { $0.ticket = ticket }
        }
        let task = Task(executorPreference: lane) {
            let value = await work()
            if !self.end(.success(value)) { self.late(value) }
        }
        let mustCancel = state.withLock { state in
            if state.completion != nil { state.task = task }
            return state.mustCancel
        }
        if mustCancel { task.cancel() }
    }

    /// Ends the call now with this failure unless it has ended; never waits for the work, which is told to stop.
    package func giveUp(_ failure: StageFailure) {
        let (completion, task): (Completion?, Task<Void, Never>?) = state.withLock { state in
            defer {
                if state.completion != nil { state.mustCancel = true }
                state.completion = nil
                state.task = nil
            }
            return (state.completion, state.task)
        }
        guard let completion else { return }
        lane.condemn()
        task?.cancel()
        callOffTimer()
        completion(.failure(failure))
    }

    /// Ends the call with its result; false when something else ended it before.
    private func end(_ result: Result<Value, StageFailure>) -> Bool {
        let completion: Completion? = state.withLock { state in
            defer {
                state.completion = nil
                state.task = nil
            }
            return state.completion
        }
        guard let completion else { return false }
        callOffTimer()
        completion(result)
        return true
    }

    private func callOffTimer() {
        let ticket = state.withLock { state in
            defer { state.ticket = nil }
            return state.ticket
        }
        if let ticket { timers.callOff(ticket) }
    }
}

extension StageFailure {
    /// What a call ends with when its time is over.
    static let deadlinePassed = StageFailure(.platform, code: deadline, "the time for this call is over")
}
