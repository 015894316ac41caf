import Synchronization
import Threads

/// A few connections to one database, lent one at a time and first come, first served.
///
/// All of them act as one identity, so that no borrower can forget under whose rights it works.
package final class ConnectionPool: Sendable {
    private struct State {
        var rules: PoolState
        var connections: [PoolState.Slot: PostgresConnection] = [:]
        var waiters: [PoolState.Waiter: PoolWaiter] = [:]
        var nextWaiter: PoolState.Waiter = 0
        var drain: [CheckedContinuation<Void, Never>] = []
        var random = SystemRandomNumberGenerator()
        /// Idle connections are looked at when the alarm rings.
        var hasAlarm = false
    }

    package let target: ConnectionTarget
    package let identity: ActingIdentity
    private let settings: PoolSettings
    private let waiting: (@Sendable (WaitReport) -> Void)?
    private let state: Mutex<State>
    /// Gives up waiting in time even while the shared pool of threads is busy.
    private let timers = DeadlineTimers()

    /// Calls `waiting` for a statement that a lock of another session holds up for longer than a second.
    package init(
        to target: ConnectionTarget,
        _ settings: PoolSettings,
        as identity: ActingIdentity = .connection,
        waiting: (@Sendable (WaitReport) -> Void)? = nil
    ) {
        self.target = target
        self.identity = identity
        self.waiting = waiting
        self.settings = settings
        state = Mutex(State(rules: PoolState(settings)))
    }

    /// Lends a connection to the body; one that is broken or still in a transaction afterwards is closed.
    ///
    /// The deadline is for the waiting and the connecting; the body's calls have deadlines of their own.
    package func withConnection<Value: Sendable>(
        until deadline: ContinuousClock.Instant,
        _ body: (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        let (slot, connection) = try await lend(until: deadline)
        do throws(PostgresError) {
            let value = try await body(connection)
            release(slot, isUsable: connection.isUsable)
            return value
        } catch {
            release(slot, isUsable: connection.isUsable && !error.isPoisoning)
            // What ended this connection has most likely ended those that lie idle, too.
            if error.isPoisoning { perform(state.withLock { $0.rules.closeIdle() }) }
            throw error
        }
    }

    /// Refuses everybody from now on, closes what is idle, and returns when the last connection has come back.
    package func close() async {
        let actions = state.withLock { $0.rules.close() }
        perform(actions)
        await withCheckedContinuation { continuation in
            // Resumed here, or by the release that leaves the pool empty.
            let isDrained = state.withLock { state in
                if !state.rules.isDrained { state.drain.append(continuation) }
                return state.rules.isDrained
            }
            if isDrained { continuation.resume() }
        }
    }

    /// How many connections there are, lent and idle.
    package var counts: (leased: Int, idle: Int, waiting: Int) {
        state.withLock { ($0.rules.leasedCount, $0.rules.idleCount, $0.rules.waiterCount) }
    }

    // MARK: Acquiring

    /// Waits where the server is full and the settings say so: until it has room, or a connection of this pool is free.
    private func lend(
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> (slot: PoolState.Slot, connection: PostgresConnection) {
        var pause = Duration.milliseconds(50)
        while true {
            let grant = try await acquire(until: deadline)
            do throws(PostgresError) {
                return (grant.slot, try await connection(for: grant, until: deadline))
            } catch {
                guard settings.waitsForRoom, error.code == .tooManyConnections, !Task.isCancelled,
                    ContinuousClock.now + pause < deadline
                else { throw error }
            }
            // Many wait for the same server. A cancelled sleep ends in the next attempt, which refuses to begin.
            do { try await ContinuousClock().sleep(for: pause * Double.random(in: 0.5...1)) } catch {}
            pause = min(pause * 2, .seconds(1))
        }
    }

    private func acquire(until deadline: ContinuousClock.Instant) async throws(PostgresError) -> PoolState.Grant {
        let turn = PoolWaiter()
        let (waiter, (answer, actions)) = state.withLock { state in
            state.nextWaiter += 1
            // Known before it waits, since its turn may come at once.
            state.waiters[state.nextWaiter] = turn
            return (state.nextWaiter, state.rules.acquire(state.nextWaiter, at: .now))
        }
        defer { _ = state.withLock { $0.waiters.removeValue(forKey: waiter) } }
        perform(actions)
        switch answer {
        case .granted(let grant): return grant
        case .closed: throw PostgresError(.poolClosed, at: target.description)
        case .mustWait: return try await wait(waiter, turn, until: deadline)
        }
    }

    private func wait(
        _ waiter: PoolState.Waiter,
        _ turn: PoolWaiter,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> PoolState.Grant {
        let alarm = timers.call(at: deadline) { turn.end(.late) }
        let ending = await withTaskCancellationHandler {
            await turn.wait()
        } onCancel: {
            turn.end(.cancelled)
        }
        timers.callOff(alarm)
        switch ending {
        case .granted(let grant):
            state.withLock { $0.rules.take(waiter) }
            return grant
        case .refused: throw PostgresError(.poolClosed, at: target.description)
        case .cancelled:
            perform(state.withLock { $0.rules.leave(waiter, at: .now) })
            throw PostgresError(.cancelled, at: target.description)
        case .late:
            perform(state.withLock { $0.rules.leave(waiter, at: .now) })
            throw PostgresError(
                .statementTimeout,
                at: target.description,
                detail: "all connections of the pool are in use"
            )
        }
    }

    private func connection(
        for grant: PoolState.Grant,
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> PostgresConnection {
        let slot = grant.slot
        if case .idle = grant, let connection = state.withLock({ $0.connections[slot] }) {
            if await connection.isStillThere() { return connection }
            state.withLock { $0.connections[slot] = nil }
        }
        do throws(PostgresError) {
            let connection = try await PostgresConnection.connect(
                to: target,
                as: identity,
                until: deadline,
                waiting: waiting
            )
            if settings.plansOnce { try await connection.planOnce(until: deadline) }
            state.withLock { state in
                state.connections[slot] = connection
                state.rules.opened(slot, at: .now, chance: Double.random(in: 0...1, using: &state.random))
            }
            return connection
        } catch {
            release(slot, isUsable: false, isOpen: false)
            throw error
        }
    }

    // MARK: Releasing

    /// Synchronous, so that a cancelled task gives its connection back all the same.
    private func release(_ slot: PoolState.Slot, isUsable: Bool, isOpen: Bool = true) {
        let actions = state.withLock { $0.rules.release(slot, isUsable: isUsable, at: .now, isOpen: isOpen) }
        perform(actions)
        retireLater()
        let drain: [CheckedContinuation<Void, Never>] = state.withLock { state in
            guard state.rules.isDrained else { return [] }
            defer { state.drain = [] }
            return state.drain
        }
        for continuation in drain { continuation.resume() }
    }

    /// Has idle connections closed in time, also where no more are asked for.
    private func retireLater() {
        let isNew = state.withLock { state in
            guard !state.hasAlarm, state.rules.idleCount > 0 else { return false }
            state.hasAlarm = true
            return true
        }
        guard isNew else { return }
        _ = timers.call(at: .now + settings.idleTime) { [weak self] in
            guard let self else { return }
            perform(
                state.withLock { state in
                    state.hasAlarm = false
                    return state.rules.retire(at: .now)
                }
            )
            retireLater()
        }
    }

    private func perform(_ actions: [PoolState.Action]) {
        for action in actions {
            switch action {
            case .close(let slot):
                // The connection hangs up when its last owner lets go of it, on whichever thread that is.
                let connection = state.withLock { $0.connections.removeValue(forKey: slot) }
                _ = consume connection
            case .grant(let grant, let waiter): state.withLock { $0.waiters[waiter] }?.end(.granted(grant))
            case .refuse(let waiter): state.withLock { $0.waiters[waiter] }?.end(.refused)
            }
        }
    }
}

/// One waiter's turn: it ends once, before or after the waiter has begun to wait for it.
final class PoolWaiter: Sendable {
    /// Why there is nothing to wait for any more.
    enum Ending {
        case granted(PoolState.Grant)
        /// The pool is closed.
        case refused
        case cancelled
        /// The waiter's time is over.
        case late
    }

    private enum State {
        case open
        case awaited(CheckedContinuation<Ending, Never>)
        case ended(Ending)
    }

    private let state = Mutex(State.open)

    /// Returns when the turn has ended.
    func wait() async -> Ending {
        await withCheckedContinuation { continuation in
            // Resumed once: here when the turn has ended already, else by `end`.
            let ending: Ending? = state.withLock { state in
                if case .ended(let ending) = state { return ending }
                state = .awaited(continuation)
                return nil
            }
            if let ending { continuation.resume(returning: ending) }
        }
    }

    /// Only the first time counts.
    func end(_ ending: Ending) {
        let waiting: CheckedContinuation<Ending, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .ended(ending)
                return nil
            case .awaited(let continuation):
                state = .ended(ending)
                return continuation
            case .ended: return nil
            }
        }
        waiting?.resume(returning: ending)
    }
}

extension ConnectionPool {
    /// Runs reading statements in one round trip and at one moment.
    ///
    /// A connection that broke while it lay idle is replaced once: reading twice changes nothing.
    package func read(
        _ queries: [SQLQuery],
        after preparations: [SQLQuery] = [],
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> [Rows] {
        do throws(PostgresError) {
            return try await attempt(queries, after: preparations, until: deadline)
        } catch {
            guard error.code == .connectionLost || error.code == .serverRestarting else { throw error }
            return try await attempt(queries, after: preparations, until: deadline)
        }
    }

    private func attempt(
        _ queries: [SQLQuery],
        after preparations: [SQLQuery],
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> [Rows] {
        try await withConnection(until: deadline) { connection throws(PostgresError) in
            try await connection.snapshot(queries, after: preparations, until: deadline)
        }
    }
}
