/// The rules of a pool, without threads, sockets or a clock: each event returns what is to be done.
///
/// A slot is a connection's place, leased or idle. Whoever leases an empty slot opens its connection, so that an error
/// while opening belongs to the one who waits for it and nobody else.
struct PoolState {
    typealias Slot = UInt64
    typealias Waiter = UInt64

    enum Grant: Equatable {
        /// A connection that is open already.
        case idle(Slot)
        /// A place for a connection, to be opened by whoever gets it.
        case empty(Slot)

        var slot: Slot {
            switch self {
            case .idle(let slot), .empty(let slot): slot
            }
        }
    }

    enum Answer: Equatable {
        case granted(Grant)
        case mustWait
        case closed
    }

    enum Action: Equatable {
        case close(Slot)
        case grant(Grant, to: Waiter)
        /// The pool is closed: the waiter gets nothing.
        case refuse(Waiter)
    }

    private struct Idle {
        let slot: Slot
        let since: ContinuousClock.Instant
    }

    private let settings: PoolSettings
    /// The longest unused first; the last is taken first, so that the others can end.
    private var idle: [Idle] = []
    private var expiries: [Slot: ContinuousClock.Instant] = [:]
    private var leased: Set<Slot> = []
    /// First come, first served.
    private var waiters: [Waiter] = []
    /// What a waiter was given and has not taken yet.
    private var pending: [Waiter: Grant] = [:]
    private var nextSlot: Slot = 0
    private(set) var isClosed = false

    init(_ settings: PoolSettings) {
        self.settings = settings
    }

    var leasedCount: Int { leased.count }
    var idleCount: Int { idle.count }
    var waiterCount: Int { waiters.count }
    var isDrained: Bool { isClosed && leased.isEmpty && idle.isEmpty }

    /// Asks for a connection; a waiter told to wait is served later, or leaves.
    mutating func acquire(_ waiter: Waiter, at now: ContinuousClock.Instant) -> (Answer, [Action]) {
        guard !isClosed else { return (.closed, []) }
        let ended = retire(at: now)
        guard waiters.isEmpty, let grant = nextGrant() else {
            waiters.append(waiter)
            return (.mustWait, ended + serve())
        }
        return (.granted(grant), ended)
    }

    /// A waiter has taken what it was given.
    mutating func take(_ waiter: Waiter) {
        pending[waiter] = nil
    }

    /// A waiter wants nothing any more, whether or not it was given something meanwhile.
    mutating func leave(_ waiter: Waiter, at now: ContinuousClock.Instant) -> [Action] {
        if let place = waiters.firstIndex(of: waiter) {
            waiters.remove(at: place)
            return []
        }
        guard let grant = pending.removeValue(forKey: waiter) else { return [] }
        switch grant {
        case .idle(let slot): return release(slot, isUsable: true, at: now)
        case .empty(let slot): return release(slot, isUsable: false, at: now, isOpen: false)
        }
    }

    /// The connection of an empty slot is open; `chance` from zero to one shortens its life.
    mutating func opened(_ slot: Slot, at now: ContinuousClock.Instant, chance: Double) {
        precondition(leased.contains(slot), "a connection was opened in a slot that nobody has")
        expiries[slot] = now + settings.lifetime * (1 - settings.jitter * chance)
    }

    /// Gives a slot back.
    ///
    /// It is not usable when its connection is poisoned or could not be opened, and not open when there is none to close.
    mutating func release(
        _ slot: Slot,
        isUsable: Bool,
        at now: ContinuousClock.Instant,
        isOpen: Bool = true
    ) -> [Action] {
        guard leased.remove(slot) != nil else { return [] }
        if isUsable, !isClosed, let expiry = expiries[slot], expiry > now {
            idle.append(Idle(slot: slot, since: now))
            return serve() + retire(at: now)
        }
        expiries[slot] = nil
        return (isOpen ? [.close(slot)] : []) + serve()
    }

    /// Closes what is idle, after an error that it may have met as well; who comes next opens anew.
    mutating func closeIdle() -> [Action] {
        defer { idle = [] }
        for entry in idle { expiries[entry.slot] = nil }
        return idle.map { .close($0.slot) }
    }

    /// Closes what is idle and refuses who waits; leased connections close when they come back.
    mutating func close() -> [Action] {
        guard !isClosed else { return [] }
        isClosed = true
        defer {
            idle = []
            waiters = []
            expiries = [:]
        }
        return idle.map { .close($0.slot) } + waiters.map { .refuse($0) }
    }

    /// Serves waiters while there is something to give.
    private mutating func serve() -> [Action] {
        var actions: [Action] = []
        while let waiter = waiters.first, let grant = nextGrant() {
            waiters.removeFirst()
            pending[waiter] = grant
            actions.append(.grant(grant, to: waiter))
        }
        return actions
    }

    private mutating func nextGrant() -> Grant? {
        guard !isClosed else { return nil }
        if let last = idle.popLast() {
            leased.insert(last.slot)
            return .idle(last.slot)
        }
        guard leased.count < settings.limit else { return nil }
        nextSlot += 1
        leased.insert(nextSlot)
        return .empty(nextSlot)
    }

    /// Closes idle connections that are too old or too long unused.
    mutating func retire(at now: ContinuousClock.Instant) -> [Action] {
        var actions: [Action] = []
        idle.removeAll { entry in
            let isOld = expiries[entry.slot].map { $0 <= now } ?? true
            guard isOld || entry.since + settings.idleTime <= now else { return false }
            expiries[entry.slot] = nil
            actions.append(.close(entry.slot))
            return true
        }
        return actions
    }
}

/// How many connections a pool holds and for how long.
package struct PoolSettings: Sendable, Equatable {
    /// At least one.
    package let limit: Int
    /// A connection older than this is replaced, so that a server's memory and a moved name are found in time.
    package let lifetime: Duration
    /// Up to this share of the lifetime is taken off by chance, lest all connections end at the same moment.
    package let jitter: Double
    /// A connection unused for longer than this is closed.
    package let idleTime: Duration
    /// Each statement is planned once on a connection, by its indexes, and anew at growing pauses (`PlanRenewal`), and what is
    /// long is packed quickly rather than well: for the same few statements over and over.
    package let plansOnce: Bool
    /// Whether a server without a free connection is waited for until the caller's deadline.
    package let waitsForRoom: Bool

    package init(
        limit: Int,
        lifetime: Duration = .seconds(1_800),
        jitter: Double = 0.2,
        idleTime: Duration = .seconds(300),
        plansOnce: Bool = false,
        waitsForRoom: Bool = false
    ) {
        precondition(limit > 0 && (0...1).contains(jitter), "a pool has room for one, and its jitter is a share")
        self.limit = limit
        self.lifetime = lifetime
        self.jitter = jitter
        self.idleTime = idleTime
        self.plansOnce = plansOnce
        self.waitsForRoom = waitsForRoom
    }

    /// A worker's settings: it shares the server with many others, so it keeps few connections and none for long.
    package static func ofWorker(limit: Int) -> PoolSettings {
        PoolSettings(limit: limit, idleTime: .seconds(60), plansOnce: true, waitsForRoom: true)
    }
}
