import FileInput
import Synchronization

/// One connection to a server, its statements run one after another on a thread of its own.
package actor PostgresConnection {
    package nonisolated let target: ConnectionTarget
    /// Whose rights every statement has, except those of migrations.
    package nonisolated let identity: ActingIdentity
    nonisolated let health = ConnectionHealth()
    private nonisolated let thread: ConnectionThread
    nonisolated let bell = EventNotifier()

    /// Nil before it is open and after it broke.
    var wire: WireConnection?
    var cancelKey: WireConnection.CancelKey?
    var statements = StatementCache()
    var naming = StatementNaming.undecided
    /// Nil leaves planning to the server.
    var plans: PlanChoice?
    var renewal = PlanRenewal()
    /// Who is told of a statement that waits for others.
    nonisolated let waiting: (@Sendable (WaitReport) -> Void)?
    var openTransaction: OpenTransaction?
    var transactionCount: UInt64 = 0
    package private(set) var serverVersion = 0
    package private(set) var backendID: Int32 = 0
    package private(set) var isEncrypted = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// Connects; gives up at the deadline or when the task is cancelled.
    ///
    /// Whoever is named by `waiting` is told of a statement that others hold up for longer than a second.
    package static func connect(
        to target: ConnectionTarget,
        as identity: ActingIdentity = .connection,
        until deadline: ContinuousClock.Instant? = nil,
        waiting: (@Sendable (WaitReport) -> Void)? = nil
    ) async throws(PostgresError) -> PostgresConnection {
        let connection = try PostgresConnection(target, identity, waiting)
        try await connection.open(until: deadline)
        return connection
    }

    private init(
        _ target: ConnectionTarget,
        _ identity: ActingIdentity,
        _ waiting: (@Sendable (WaitReport) -> Void)?
    ) throws(PostgresError) {
        self.target = target
        self.identity = identity
        self.waiting = waiting
        thread = ConnectionThread()
        guard bell.descriptor >= 0, thread.start() else {
            throw PostgresError(.outOfMemory, at: target.description, detail: "the system has no thread left")
        }
    }

    deinit {
        thread.stop()
    }

    /// True when the connection can take the next statement.
    package nonisolated var isUsable: Bool { !health.isBroken && health.isIdle }

    /// True where nobody has hung up while the connection lay idle; costs no round trip.
    package func isStillThere() -> Bool {
        guard let wire, !health.isBroken else { return false }
        // A server that went says so first, and only the next look finds the end.
        for _ in 0..<2 where !wire.consume() { close() }
        if wire.isFailed { close() }
        return !health.isBroken
    }

    /// Has every statement planned once from now on.
    func planOnce(until deadline: ContinuousClock.Instant?) async throws(PostgresError) {
        let rows = try await run(PlanChoice.query, until: deadline)
        plans = PlanChoice(hasQuickPacking: try rows.only().decode("has_quick_packing"))
    }

    /// Hangs up; every later call fails.
    package func close() {
        wire = nil
        cancelKey = nil
        health.breakDown()
    }

    // MARK: Opening

    private func open(until deadline: ContinuousClock.Instant?) async throws(PostgresError) {
        try await interruptibly { call throws(PostgresError) in
            let pairs = target.settings.map { ($0.keyword, $0.value.exposed) }
            guard let wire = WireConnection(settings: pairs) else {
                throw PostgresError(.outOfMemory, at: target.description)
            }
            do throws(PostgresError) {
                try connect(wire, call: call, until: deadline)
            } catch {
                health.breakDown()
                throw error
            }
            self.wire = wire
            cancelKey = wire.makeCancelKey()
            serverVersion = wire.serverVersion
            backendID = wire.backendID
            isEncrypted = wire.isEncrypted
        }
    }

    private func connect(
        _ wire: WireConnection,
        call: UInt64,
        until deadline: ContinuousClock.Instant?
    ) throws(PostgresError) {
        let began = ContinuousClock.now
        var progress = wire.isFailed ? WireConnection.Progress.failed : .wantsWriting
        var socket = wire.socket
        var addressLimit = target.addressTimeout.map { ContinuousClock.now + $0 }
        while progress != .connected {
            if bell.isInterrupted { throw PostgresError(.cancelled, at: target.description) }
            let now = ContinuousClock.now
            if let deadline, now >= deadline {
                let milliseconds = max(0, Int((deadline - began) / .milliseconds(1)))
                throw PostgresError(
                    .unreachable,
                    at: target.description,
                    detail: "it did not answer within \(milliseconds) ms"
                )
            }
            if progress == .failed {
                throw PostgresError(connecting: wire.errorMessage, needsPassword: wire.needsPassword, to: target)
            }
            if let limit = addressLimit, now >= limit {
                wire.giveUpAddress()
                addressLimit = target.addressTimeout.map { now + $0 }
            }
            let isReady = bell.wait(
                socket: wire.socket,
                for: progress == .wantsWriting ? .writing : .reading,
                until: [deadline, addressLimit].compactMap { $0 }.min()
            )
            // libpq may go on only when the socket is ready; a given-up address makes it so.
            guard isReady else { continue }
            progress = wire.proceedConnecting()
            if wire.socket != socket {
                socket = wire.socket
                addressLimit = target.addressTimeout.map { ContinuousClock.now + $0 }
            }
        }
        guard wire.becomeNonblocking() else { throw PostgresError(.outOfMemory, at: target.description) }
    }

    // MARK: Calls

    /// Runs blocking work on this thread; a cancelled task rings the bell that the work waits for.
    func interruptibly<Value: Sendable>(
        _ work: (_ call: UInt64) throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        let call = bell.begin()
        let bell = bell
        // The closure names `self`, without which it would leave this thread for the shared pool and block that.
        let result: Result<Value, PostgresError> = await withTaskCancellationHandler {
            self.attempt(call, work)
        } onCancel: {
            bell.interrupt(call)
        }
        bell.end(call)
        return try result.get()
    }

    /// The handler erases the error's type, so the result travels as a value.
    private func attempt<Value>(
        _ call: UInt64,
        _ work: (_ call: UInt64) throws(PostgresError) -> Value
    ) -> Result<Value, PostgresError> {
        assertIsolated()
        do throws(PostgresError) { return .success(try work(call)) } catch { return .failure(error) }
    }

    /// Runs blocking work that must come to its end, such as a clean-up, whatever becomes of the task.
    func uninterruptibly<Value>(_ work: (_ call: UInt64) throws(PostgresError) -> Value) throws(PostgresError) -> Value
    {
        let call = bell.begin()
        defer { bell.end(call) }
        return try work(call)
    }

    /// The open connection, or why there is none.
    func openWire() throws(PostgresError) -> WireConnection {
        guard let wire, !health.isBroken else {
            throw PostgresError(.connectionLost, at: target.description, detail: "the connection is closed")
        }
        return wire
    }
}

/// What others may know of a connection without waiting for its thread.
final class ConnectionHealth: Sendable {
    private let broken = Atomic(false)
    private let idle = Atomic(true)

    /// True from the moment the connection cannot be used any more.
    var isBroken: Bool { broken.load(ordering: .acquiring) }
    /// True between transactions.
    var isIdle: Bool { idle.load(ordering: .acquiring) }

    func breakDown() { broken.store(true, ordering: .releasing) }
    func setIdle(_ isIdle: Bool) { idle.store(isIdle, ordering: .releasing) }
}
