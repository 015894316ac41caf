import Synchronization

/// Carries items from senders to receivers, in order: a sender waits while it is full, a receiver while it is empty.
package final class BoundedChannel<Item: Sendable>: Sendable {
    /// A receiver that waits for items.
    private struct Receiver {
        /// With fewer items than these it goes on waiting.
        let least: Int
        let alarm: Alarm?
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        /// A received item leaves nil behind, so that the channel keeps no reference to it.
        var items: [Item?] = []
        /// The place of the first item.
        var head = 0
        var isFinished = false
        var receivers: [Receiver] = []
        var senders: [CheckedContinuation<Void, Never>] = []

        var count: Int { items.count - head }

        /// The receivers for whom there is enough now, and no more of them than there are new items.
        mutating func wokenReceivers(_ came: Int) -> [CheckedContinuation<Void, Never>] {
            var woken: [CheckedContinuation<Void, Never>] = []
            let count = count
            receivers.removeAll { receiver in
                guard woken.count < came, receiver.least <= count else { return false }
                woken.append(receiver.continuation)
                return true
            }
            return woken
        }

        mutating func removeFirst(_ most: Int) -> [Item] {
            var taken: [Item] = []
            while taken.count < most, head < items.count {
                if let item = items[head].take() { taken.append(item) }
                head += 1
            }
            if head == items.count {
                items.removeAll(keepingCapacity: true)
                head = 0
            } else if head > 1_024 {
                items.removeFirst(head)
                head = 0
            }
            return taken
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// With room for so many items before a sender has to wait.
    package init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Sends an item as soon as there is room.
    package func send(_ item: Item) async {
        await send([item])
    }

    /// Sends items together: room for one counts as room for all, so the channel may hold a few more than its limit.
    package func send(_ items: [Item]) async {
        guard !items.isEmpty else { return }
        while true {
            let receivers: [CheckedContinuation<Void, Never>]? = state.withLock { state in
                guard state.count < limit else { return nil }
                for item in items { state.items.append(item) }
                return state.wokenReceivers(items.count)
            }
            if let receivers {
                for receiver in receivers { receiver.resume() }
                return
            }
            await waitForRoom()
        }
    }

    /// Says that nothing more is sent.
    package func finish() {
        let receivers = state.withLock { state in
            state.isFinished = true
            defer { state.receivers = [] }
            return state.receivers
        }
        for receiver in receivers { receiver.continuation.resume() }
    }

    /// The next item; nil after the last.
    package func receive() async -> Item? {
        await receive(most: 1).first
    }

    /// All items that are here, at most so many; none after the last.
    package func receive(most: Int) async -> [Item] {
        while true {
            let (items, senders, isOver): ([Item], [CheckedContinuation<Void, Never>], Bool) = state.withLock { state in
                let items = state.removeFirst(most)
                guard !items.isEmpty else { return ([], [], state.isFinished) }
                defer { state.senders = [] }
                return (items, state.senders, false)
            }
            for sender in senders { sender.resume() }
            if !items.isEmpty || isOver { return items }
            await waitForItems(1)
        }
    }

    /// All items that are here, at most so many: as soon as there are enough, when the first has waited for others so long,
    /// or when nothing more is sent; none after the last.
    package func receive(most: Int, enough: Int, patience: Duration) async -> [Item] {
        await waitForItems(1)
        if state.withLock({ $0.count < enough && !$0.isFinished }) {
            let alarm = Alarm()
            let clock = Task {
                // A cancelled sleep means that there are enough.
                do { try await ContinuousClock().sleep(for: patience) } catch { return }
                ring(alarm)
            }
            await waitForItems(enough, or: alarm)
            clock.cancel()
        }
        return await receive(most: most)
    }

    /// Wakes a receiver that waits for enough although there is less.
    private func ring(_ alarm: Alarm) {
        let woken = state.withLock { state in
            alarm.hasRung.store(true, ordering: .relaxed)
            let place = state.receivers.firstIndex { $0.alarm === alarm }
            return place.map { state.receivers.remove(at: $0) }
        }
        woken?.continuation.resume()
    }

    /// Sleeps until something is received, unless there is room already.
    private func waitForRoom() async {
        await withCheckedContinuation { continuation in
            // Resumed once: here, or by the code that takes it off the list.
            let mustWait = state.withLock { state in
                guard state.count >= limit else { return false }
                state.senders.append(continuation)
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }

    /// Sleeps until there are so many items, the alarm rings or nothing more is sent, unless that has happened already.
    private func waitForItems(_ least: Int, or alarm: Alarm? = nil) async {
        await withCheckedContinuation { continuation in
            // Resumed once: here, or by the code that takes it off the list.
            let mustWait = state.withLock { state in
                guard state.count < least, !state.isFinished, alarm?.hasRung.load(ordering: .relaxed) != true else {
                    return false
                }
                state.receivers.append(Receiver(least: least, alarm: alarm, continuation: continuation))
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }
}

extension BoundedChannel {
    /// Tells a receiver that it has waited long enough; touched under the lock only.
    private final class Alarm: Sendable {
        let hasRung = Atomic(false)
    }
}

/// Lets one task at a time in; whoever comes later waits for a turn without a thread, first come, first served.
package final class AsyncGate: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns when it is this task's turn, which it has to give back.
    package func enter() async {
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
    package func leave() {
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
