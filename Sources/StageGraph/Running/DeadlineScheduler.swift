import Synchronization
package import Threads

/// The one deadline: work runs on threads of our own, timers on another, and nobody waits for work that was given up.
package final class DeadlineScheduler: Sendable {
    private let executor: StageExecutor
    private let timers = DeadlineTimers()

    package init(executor: StageExecutor) {
        self.executor = executor
    }

    /// Returns the work's result, or a failure as soon as the time is over or the caller is cancelled.
    package func run<Value: Sendable>(
        within limit: Duration,
        _ work: @escaping @Sendable () async -> Value
    ) async -> Result<Value, StageFailure> {
        let slot = DeadlineSlot<Value>()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Resumed exactly once: by the one completion that a call has.
                let call = start(until: .now + limit, work) { result in continuation.resume(returning: result) }
                slot.hold(call)
            }
        } onCancel: {
            slot.giveUp()
        }
    }

    /// Starts work and returns at once; the completion is called exactly once, from any thread.
    ///
    /// Without a deadline somebody else must give the call up in time. A result that comes after the call has ended
    /// goes to `late`. There is no call to give up when the executor refused it.
    @discardableResult
    package func start<Value: Sendable>(
        until deadline: ContinuousClock.Instant?,
        _ work: @escaping @Sendable () async -> Value,
        late: @escaping @Sendable (Value) -> Void = { _ in },
        completion: @escaping DeadlineCall<Value>.Completion
    ) -> DeadlineCall<Value>? {
        let step: DeadlineCall<Value>.Step? = prepare(until: deadline, on: nil, work, late: late) { result, _ in
            completion(result)
            return nil
        }
        if let step { step.call.begin(step.work) }
        return step?.call
    }

    /// Makes a call and starts its clock but not its work, which its lane must be told to carry.
    ///
    /// It goes on a lane whose last call has just ended, or on a fresh one. There is no call when the executor refused it.
    func prepare<Value: Sendable>(
        until deadline: ContinuousClock.Instant?,
        on lane: TaskLane?,
        _ work: @escaping DeadlineCall<Value>.Work,
        late: @escaping @Sendable (Value) -> Void,
        ending: @escaping DeadlineCall<Value>.Ending
    ) -> DeadlineCall<Value>.Step? {
        do throws(ExecutorExhausted) {
            let fresh = try executor.lane(following: lane)
            let call = DeadlineCall(lane: fresh, timers: timers, late: late, ending: ending)
            call.arm(until: deadline)
            return DeadlineCall.Step(call: call, work: work)
        } catch {
            _ = ending(.failure(StageFailure(error)), nil)
            return nil
        }
    }
}

/// One call with a deadline: it ends exactly once, by its work, its deadline or by being given up, whichever is first.
package final class DeadlineCall<Value: Sendable>: Sendable {
    package typealias Completion = @Sendable (Result<Value, StageFailure>) -> Void
    typealias Work = @Sendable () async -> Value
    /// Called once with how the call ended, and with its lane when its thread can take another call at once.
    typealias Ending = @Sendable (Result<Value, StageFailure>, TaskLane?) -> Step?

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
    private let lane: TaskLane
    private let timers: DeadlineTimers
    private let late: @Sendable (Value) -> Void

    init(lane: TaskLane, timers: DeadlineTimers, late: @escaping @Sendable (Value) -> Void, ending: @escaping Ending) {
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

    /// What a call ends with when the executor refused it.
    init(_ exhausted: ExecutorExhausted) {
        self.init(
            .platform,
            code: Self.executorExhausted,
            "\(exhausted.lost) threads are lost in calls that never returned, or the executor was shut down"
        )
    }
}

/// Lets a cancellation that comes before the call is known still end it.
final class DeadlineSlot<Value: Sendable>: Sendable {
    private struct State {
        var call: DeadlineCall<Value>?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func hold(_ call: DeadlineCall<Value>?) {
        let isCancelled = state.withLock { state in
            state.call = call
            return state.isCancelled
        }
        if isCancelled { giveUp() }
    }

    func giveUp() {
        let call = state.withLock { state in
            state.isCancelled = true
            return state.call
        }
        call?.giveUp(StageFailure(.cancelled, code: "cancelled", "the caller was told to stop"))
    }
}
