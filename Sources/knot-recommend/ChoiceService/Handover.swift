import Synchronization

/// Hands things from one stage of the work to the next, in order; who is too far ahead waits, and who has nothing does.
final class Handover<Item: Sendable>: Sendable {
    /// Somebody who waits for things.
    private struct Taker {
        /// Fewer than these are not worth waking up for.
        let least: Int
        let alarm: Alarm?
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        /// What is taken leaves nil behind, so that nothing is kept longer than its taker keeps it.
        var items: [Item?] = []
        /// The place of the first item.
        var head = 0
        var isClosed = false
        var takers: [Taker] = []
        var givers: [CheckedContinuation<Void, Never>] = []

        var count: Int { items.count - head }

        /// Those for whom there is enough now, and no more of them than there are things that came.
        mutating func wokenTakers(_ came: Int) -> [CheckedContinuation<Void, Never>] {
            var woken: [CheckedContinuation<Void, Never>] = []
            let count = count
            takers.removeAll { taker in
                guard woken.count < came, taker.least <= count else { return false }
                woken.append(taker.continuation)
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

    /// So many things may lie here before who brings more has to wait.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Brings a thing, as soon as there is room.
    func put(_ item: Item) async {
        await put([item])
    }

    /// Brings things together: when there is room for one there is room for all, so that a few more may lie here.
    func put(_ items: [Item]) async {
        guard !items.isEmpty else { return }
        while true {
            let takers: [CheckedContinuation<Void, Never>]? = state.withLock { state in
                guard state.count < limit else { return nil }
                for item in items { state.items.append(item) }
                return state.wokenTakers(items.count)
            }
            if let takers {
                for taker in takers { taker.resume() }
                return
            }
            await waitForRoom()
        }
    }

    /// Says that nothing more comes.
    func close() {
        let takers = state.withLock { state in
            state.isClosed = true
            defer { state.takers = [] }
            return state.takers
        }
        for taker in takers { taker.continuation.resume() }
    }

    /// The next thing; nil when there are no more.
    func take() async -> Item? {
        await take(most: 1).first
    }

    /// All that lies here, at most so many; none when there are no more.
    func take(most: Int) async -> [Item] {
        while true {
            let (items, givers, isOver): ([Item], [CheckedContinuation<Void, Never>], Bool) = state.withLock { state in
                let items = state.removeFirst(most)
                guard !items.isEmpty else { return ([], [], state.isClosed) }
                defer { state.givers = [] }
                return (items, state.givers, false)
            }
            for giver in givers { giver.resume() }
            if !items.isEmpty || isOver { return items }
            await waitForItems(1)
        }
    }

    /// All that lies here, at most so many: as soon as there are enough, when the first has waited for them so long, or
    /// when nothing more comes; none when there are no more.
    func take(most: Int, enough: Int, patience: Duration) async -> [Item] {
        await waitForItems(1)
        if state.withLock({ $0.count < enough && !$0.isClosed }) {
            let alarm = Alarm()
            let clock = Task {
                // A cancelled sleep means that there are enough.
                do { try await ContinuousClock().sleep(for: patience) } catch { return }
                ring(alarm)
            }
            await waitForItems(enough, or: alarm)
            clock.cancel()
        }
        return await take(most: most)
    }

    /// Wakes who waits for enough although there is less.
    private func ring(_ alarm: Alarm) {
        let woken = state.withLock { state in
            alarm.hasRung.store(true, ordering: .relaxed)
            let place = state.takers.firstIndex { $0.alarm === alarm }
            return place.map { state.takers.remove(at: $0) }
        }
        woken?.continuation.resume()
    }

    /// Sleeps until somebody takes something, unless there is room already.
    private func waitForRoom() async {
        await withCheckedContinuation { continuation in
            // Resumed once: here, or by whoever takes it off the list.
            let mustWait = state.withLock { state in
                guard state.count >= limit else { return false }
                state.givers.append(continuation)
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }

    /// Sleeps until there are so many things, the alarm rings or nothing more comes, unless that has happened already.
    private func waitForItems(_ least: Int, or alarm: Alarm? = nil) async {
        await withCheckedContinuation { continuation in
            // Resumed once: here, or by whoever takes it off the list.
            let mustWait = state.withLock { state in
                guard state.count < least, !state.isClosed, alarm?.hasRung.load(ordering: .relaxed) != true else {
                    return false
                }
                state.takers.append(Taker(least: least, alarm: alarm, continuation: continuation))
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }
}

extension Handover {
    /// Tells one who waits that it has been long enough; touched under the lock only.
    private final class Alarm: Sendable {
        let hasRung = Atomic(false)
    }
}
