import Synchronization

/// Hands things from one stage of the work to the next, in order; who is too far ahead waits, and who has nothing does.
final class Handover<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        /// The place of the first item: what is before it is gone.
        var head = 0
        var isClosed = false
        var takers: [CheckedContinuation<Void, Never>] = []
        var givers: [CheckedContinuation<Void, Never>] = []

        var count: Int { items.count - head }

        mutating func removeFirst(_ most: Int) -> [Item] {
            let taken = Array(items[head..<min(items.count, head + most)])
            head += taken.count
            if head == items.count || head > 1_024 {
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
                state.items += items
                let woken = state.takers.prefix(items.count)
                state.takers.removeFirst(woken.count)
                return Array(woken)
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
        for taker in takers { taker.resume() }
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
            await waitForItems()
        }
    }

    /// What lies here now, at most so many, without waiting for more.
    func takeAtOnce(most: Int) -> [Item] {
        let (items, givers): ([Item], [CheckedContinuation<Void, Never>]) = state.withLock { state in
            defer { state.givers = [] }
            return (state.removeFirst(most), state.givers)
        }
        for giver in givers { giver.resume() }
        return items
    }

    /// True once nothing more comes.
    var isClosed: Bool { state.withLock { $0.isClosed } }

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

    /// Sleeps until somebody brings something or closes, unless that has happened already.
    private func waitForItems() async {
        await withCheckedContinuation { continuation in
            // Resumed once: here, or by whoever takes it off the list.
            let mustWait = state.withLock { state in
                guard state.count == 0, !state.isClosed else { return false }
                state.takers.append(continuation)
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }
}
