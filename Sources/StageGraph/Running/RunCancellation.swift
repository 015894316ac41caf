import Synchronization

/// A handle by which any thread tells runs to stop; not for use inside a signal handler, since it takes a lock.
package final class RunCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var handlers: [Int: @Sendable () -> Void] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the run at once; stages are told and not waited for.
    package func cancel() {
        let handlers = state.withLock { state in
            state.isCancelled = true
            defer { state.handlers = [:] }
            return state.handlers.values
        }
        for handler in handlers { handler() }
    }

    /// Calls the handler when, or if already, cancelled; the number forgets it again.
    func onCancel(_ handler: @escaping @Sendable () -> Void) -> Int {
        let (number, isCancelled) = state.withLock { state in
            state.nextNumber += 1
            if !state.isCancelled { state.handlers[state.nextNumber] = handler }
            return (state.nextNumber, state.isCancelled)
        }
        if isCancelled { handler() }
        return number
    }

    /// Forgets a handler, so that one handle may serve any number of runs.
    func forget(_ number: Int) {
        _ = state.withLock { $0.handlers.removeValue(forKey: number) }
    }
}
