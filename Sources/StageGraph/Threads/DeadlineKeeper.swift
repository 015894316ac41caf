/// The one deadline: work runs on threads of our own, timers on another, and nobody waits for work that was given up.
package final class DeadlineKeeper: Sendable {
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
        on lane: ExecutorLane?,
        _ work: @escaping DeadlineCall<Value>.Work,
        late: @escaping @Sendable (Value) -> Void,
        ending: @escaping DeadlineCall<Value>.Ending
    ) -> DeadlineCall<Value>.Step? {
        do throws(StageFailure) {
            let fresh = try executor.lane(following: lane)
            let call = DeadlineCall(lane: fresh, timers: timers, late: late, ending: ending)
            call.arm(until: deadline)
            return DeadlineCall.Step(call: call, work: work)
        } catch {
            _ = ending(.failure(error), nil)
            return nil
        }
    }
}
