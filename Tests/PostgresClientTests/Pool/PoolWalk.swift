import TestSupport

@testable import PostgresClient

/// A walk of random events over a pool's rules, with a second book kept beside them.
struct PoolWalk {
    private(set) var faults: [String] = []
    private let limit: Int
    private var state: PoolState
    private var random: SeededRandom
    private var now = ContinuousClock.now
    private var nextWaiter: UInt64 = 0
    /// Slots that somebody has, whether their connection is open or not.
    private var leases: [PoolState.Slot] = []
    private var open: Set<PoolState.Slot> = []
    private var queue: [PoolState.Waiter] = []
    private var given: [(waiter: PoolState.Waiter, grant: PoolState.Grant)] = []

    init(limit: Int, seed: UInt64) {
        self.limit = limit
        state = PoolState(PoolSettings(limit: limit, lifetime: .seconds(50), jitter: 0.3, idleTime: .seconds(20)))
        random = SeededRandom(seed: seed)
    }

    mutating func step() {
        now += .milliseconds(Int.random(in: 0...4_000, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: acquire()
        case 4..<7: release()
        case 7: take()
        case 8: leaveQueue()
        default: leaveAfterGrant()
        }
        check()
    }

    /// Everybody takes and gives back: nothing may be left.
    mutating func finish() {
        perform(state.close())
        for entry in given { perform(state.leave(entry.waiter, at: now)) }
        given = []
        for slot in leases { perform(state.release(slot, isUsable: true, at: now, isOpen: open.contains(slot))) }
        leases = []
        note(!state.isDrained, "a lease was lost at the end")
        note(!queue.isEmpty, "a waiter was forgotten at the end")
        note(!open.isEmpty, "a connection was never closed")
    }

    private mutating func acquire() {
        nextWaiter += 1
        let (answer, actions) = state.acquire(nextWaiter, at: now)
        perform(actions)
        switch answer {
        case .granted(let grant):
            note(!queue.isEmpty, "somebody was served before those who wait")
            receive(grant)
        case .mustWait: queue.append(nextWaiter)
        case .closed: note(true, "closed without being closed")
        }
    }

    private mutating func release() {
        guard let slot = leases.randomElement(using: &random) else { return }
        leases.removeAll { $0 == slot }
        let isUsable = Int.random(in: 0..<4, using: &random) > 0
        perform(state.release(slot, isUsable: isUsable && open.contains(slot), at: now, isOpen: open.contains(slot)))
    }

    private mutating func take() {
        guard !given.isEmpty else { return }
        let entry = given.removeFirst()
        state.take(entry.waiter)
        receive(entry.grant)
    }

    private mutating func leaveQueue() {
        guard let waiter = queue.randomElement(using: &random) else { return }
        queue.removeAll { $0 == waiter }
        perform(state.leave(waiter, at: now))
    }

    private mutating func leaveAfterGrant() {
        guard let place = given.indices.randomElement(using: &random) else { return }
        let entry = given.remove(at: place)
        perform(state.leave(entry.waiter, at: now))
    }

    private mutating func receive(_ grant: PoolState.Grant) {
        note(leases.contains(grant.slot), "slot \(grant.slot) was given twice")
        leases.append(grant.slot)
        switch grant {
        case .idle(let slot): note(!open.contains(slot), "slot \(slot) is not open")
        case .empty(let slot):
            // Some connections cannot be opened; their slot is given back as it is.
            guard Int.random(in: 0..<5, using: &random) > 0 else { return }
            open.insert(slot)
            state.opened(slot, at: now, chance: Double.random(in: 0...1, using: &random))
        }
    }

    private mutating func perform(_ actions: [PoolState.Action]) {
        for action in actions {
            switch action {
            case .close(let slot): note(open.remove(slot) == nil, "slot \(slot) was closed and is not open")
            case .grant(let grant, let waiter):
                note(queue.first != waiter, "waiter \(waiter) was not the first")
                queue.removeAll { $0 == waiter }
                given.append((waiter, grant))
            case .refuse(let waiter): queue.removeAll { $0 == waiter }
            }
        }
    }

    private mutating func check() {
        note(state.leasedCount + state.idleCount > limit, "more than \(limit) connections")
        note(state.leasedCount != leases.count + given.count, "a lease was lost")
        note(!queue.isEmpty && state.leasedCount < limit, "somebody waits for nothing")
        note(state.waiterCount != queue.count, "the queues differ")
        note(open.count > limit, "more than \(limit) are open")
    }

    private mutating func note(_ isFault: Bool, _ text: String) {
        if isFault { faults.append(text) }
    }
}
