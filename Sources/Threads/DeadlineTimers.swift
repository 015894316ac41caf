/// One thread that calls what is due.
package final class DeadlineTimers: Sendable {
    package typealias Action = @Sendable () -> Void

    private struct Alarm: Sendable {
        let instant: ContinuousClock.Instant
        let ticket: UInt64

        func precedes(_ other: Alarm) -> Bool {
            instant != other.instant ? instant < other.instant : ticket < other.ticket
        }
    }

    private struct State: Sendable {
        /// A binary heap, earliest first; an alarm without an action was called off.
        var heap: [Alarm] = []
        var actions: [UInt64: Action] = [:]
        var nextTicket: UInt64 = 0
        var isStopped = false

        mutating func push(_ alarm: Alarm) {
            heap.append(alarm)
            var child = heap.count - 1
            while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
                heap.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
        }

        mutating func popFirst() {
            heap.swapAt(0, heap.count - 1)
            heap.removeLast()
            var parent = 0
            while true {
                var first = parent
                for child in [2 * parent + 1, 2 * parent + 2]
                where child < heap.count && heap[child].precedes(heap[first]) {
                    first = child
                }
                if first == parent { return }
                heap.swapAt(first, parent)
                parent = first
            }
        }

        /// Calls made far more often than they run out would otherwise fill the heap with alarms called off.
        mutating func compact() {
            guard heap.count > 64, heap.count > 4 * actions.count else { return }
            heap = heap.filter { actions[$0.ticket] != nil }.sorted { $0.precedes($1) }
        }
    }

    private let monitor = Monitor(State())

    package init() {
        let monitor = monitor
        // The thread holds the state and not this object, whose end is the thread's end.
        let started = OwnThread.start { Self.run(monitor) }
        precondition(started, "the system has no thread for timers")
    }

    deinit {
        monitor.withLock { $0.isStopped = true }
        monitor.signal()
    }

    /// Calls the action on the timer's thread at the instant or as soon after as it can.
    package func call(at instant: ContinuousClock.Instant, _ action: @escaping Action) -> UInt64 {
        let (ticket, isFirst): (UInt64, Bool) = monitor.withLock { state in
            state.nextTicket += 1
            let ticket = state.nextTicket
            state.actions[ticket] = action
            state.compact()
            state.push(Alarm(instant: instant, ticket: ticket))
            return (ticket, state.heap.first?.ticket == ticket)
        }
        if isFirst { monitor.signal() }
        return ticket
    }

    /// Calls an alarm off; it may be running already.
    package func callOff(_ ticket: UInt64) {
        _ = monitor.withLock { $0.actions.removeValue(forKey: ticket) }
    }

    private static func run(_ monitor: Monitor<State>) {
        while let action = nextAction(monitor) { action() }
    }

    private static func nextAction(_ monitor: Monitor<State>) -> Action? {
        monitor.wait { state in
            while let first = state.heap.first {
                if state.isStopped { return .done(nil) }
                guard state.actions[first.ticket] != nil else {
                    state.popFirst()
                    continue
                }
                guard first.instant <= .now else { return .sleep(until: first.instant) }
                state.popFirst()
                return .done(state.actions.removeValue(forKey: first.ticket))
            }
            return state.isStopped ? .done(nil) : .sleep(until: nil)
        }
    }
}
