import Synchronization

/// Lets one task at a time embed; whoever comes later waits for a turn, first come, first served.
final class EmbeddingTurn: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Returns when it is this task's turn, which it has to give back.
    func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            // Resumed once: here, or by whoever leaves.
            if isFree { continuation.resume() }
        }
    }

    /// Gives the turn back, to the next who waits.
    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
