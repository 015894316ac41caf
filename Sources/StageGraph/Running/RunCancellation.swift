import Synchronization

/// A handle by which any thread, a signal's included, tells a run to stop.
package final class RunCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var handlers: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the run at once; stages are told and not waited for.
    package func cancel() {
        let handlers = state.withLock { state in
            state.isCancelled = true
            defer { state.handlers = [] }
            return state.handlers
        }
        for handler in handlers { handler() }
    }

    /// Calls the handler when, or if already, cancelled.
    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.handlers.append(handler) }
            return state.isCancelled
        }
        if isCancelled { handler() }
    }
}
