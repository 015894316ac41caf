import Synchronization

/// What one run is given besides its plan.
package struct RunOptions: Sendable {
    package var seed: UInt64
    /// What the run is about, such as a vault's id; a part of every node's seed.
    package var subject: String
    /// Takes the place of the plan's deadline.
    package var deadline: Duration?
    package var effects: EffectMode
    package var observers: [any RunObserver]
    package var cancellation: RunCancellation?
    /// For tests: starts ready nodes and delivers completions in an order drawn from this seed.
    package var shuffle: UInt64?

    package init(
        seed: UInt64 = 0,
        subject: String = "",
        deadline: Duration? = nil,
        effects: EffectMode = .live,
        observers: [any RunObserver] = [],
        cancellation: RunCancellation? = nil,
        shuffle: UInt64? = nil
    ) {
        self.seed = seed
        self.subject = subject
        self.deadline = deadline
        self.effects = effects
        self.observers = observers
        self.cancellation = cancellation
        self.shuffle = shuffle
    }
}

/// A handle by which any thread tells runs to stop; not for use inside a signal handler, since it takes a lock.
package final class RunCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var handlers: [Int: @Sendable () -> Void] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())

    package init() {}

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
