import Synchronization

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
