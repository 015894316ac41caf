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
        do throws(StageFailure) {
            let call = DeadlineCall(lane: try executor.lane(), timers: timers, late: late, completion: completion)
            call.begin(until: deadline, work)
            return call
        } catch {
            completion(.failure(error))
            return nil
        }
    }
}
