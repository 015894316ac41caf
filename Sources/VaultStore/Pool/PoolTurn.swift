import Synchronization

/// One waiter's turn: it is given once, before or after the waiter has begun to wait for it.
final class PoolTurn: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<PoolState.Grant?, Never>)
        case given(PoolState.Grant?)
    }

    private let state = Mutex(State.open)

    /// Returns when it is the waiter's turn, or nil when it leaves or the pool closes.
    func wait() async -> PoolState.Grant? {
        await withCheckedContinuation { continuation in
            // Resumed once: here when the turn has been given already, else by `give`.
            let given: PoolState.Grant?? = state.withLock { state in
                if case .given(let grant) = state { return .some(grant) }
                state = .awaited(continuation)
                return nil
            }
            if let given { continuation.resume(returning: given) }
        }
    }

    /// Only the first time counts.
    func give(_ grant: PoolState.Grant?) {
        let waiting: CheckedContinuation<PoolState.Grant?, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .given(grant)
                return nil
            case .awaited(let continuation):
                state = .given(grant)
                return continuation
            case .given: return nil
            }
        }
        waiting?.resume(returning: grant)
    }
}
