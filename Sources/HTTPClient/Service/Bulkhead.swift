import Synchronization
package import Threads

/// Lets so many calls to a service be under way at once; a few more wait, each for a bounded time, the others are refused.
package final class Bulkhead: Sendable {
    package enum Entry: Sendable, Equatable {
        case entered
        /// Too many wait already.
        case full
        /// Nobody left in time.
        case late
        case cancelled
    }

    private struct Waiter {
        let ticket: UInt64
        let continuation: CheckedContinuation<Entry, Never>
    }

    private struct State {
        var underWay = 0
        var waiting: [Waiter] = []
        var nextTicket: UInt64 = 0
        /// Tickets whose callers gave up before they waited.
        var gaveUp: Set<UInt64> = []
    }

    private let places: Int
    private let queue: Int
    private let timers: DeadlineTimers
    private let state = Mutex(State())

    package init(places: Int = 8, queue: Int = 64, timers: DeadlineTimers) {
        self.places = max(1, places)
        self.queue = max(0, queue)
        self.timers = timers
    }

    package var underWay: Int { state.withLock { $0.underWay } }
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Enters at once, or as soon as somebody leaves; whoever entered has to leave.
    package func enter(by deadline: ContinuousClock.Instant) async -> Entry {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        // A caller who gives up while it enters has entered; its ticket is not to be remembered.
        defer { state.withLock { _ = $0.gaveUp.remove(ticket) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Resumed once: here, or by whoever takes the waiter off the list.
                let entry: Entry? = state.withLock { state in
                    if state.gaveUp.remove(ticket) != nil { return .cancelled }
                    if state.underWay < places, state.waiting.isEmpty {
                        state.underWay += 1
                        return .entered
                    }
                    guard state.waiting.count < queue else { return .full }
                    state.waiting.append(Waiter(ticket: ticket, continuation: continuation))
                    return nil
                }
                if let entry { return continuation.resume(returning: entry) }
                _ = timers.call(at: deadline) { [weak self] in self?.finish(ticket, with: .late) }
            }
        } onCancel: {
            finish(ticket, with: .cancelled)
        }
    }

    /// Leaves, and lets the next one in.
    package func leave() {
        let next: Waiter? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.underWay -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume(returning: .entered)
    }

    private func finish(_ ticket: UInt64, with entry: Entry) {
        let waiter: Waiter? = state.withLock { state in
            guard let place = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
                if entry == .cancelled { state.gaveUp.insert(ticket) }
                return nil
            }
            return state.waiting.remove(at: place)
        }
        waiter?.continuation.resume(returning: entry)
    }
}
