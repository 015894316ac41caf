import CCurl
import CLateCurl
import Synchronization
import Threads

/// What carries all transfers of a client, each until it has an outcome: one thread, which sleeps until something comes.
///
/// Whoever has the turn drives curl. That is the thread, or a caller while the thread sleeps: to send one's own request, and
/// those that others hand over meanwhile, is cheaper than to wake somebody who does.
/// The thread holds this object until `stop`; only the client's end calls that.
@safe final class TransferLoop: @unchecked Sendable {
    // Proof of @unchecked Sendable: `inbox` and `tally` are behind their locks, the numbers in `watch` that other threads
    // read do not change, and everything else is touched by whoever has the turn, until nobody holds this object any more.
    private struct Inbox {
        var new: [Transfer] = []
        var cancelled: [Transfer.Cancellation] = []
        var isStopped = false
        /// Whether the loop takes anything more.
        var isRunning = false
        /// Whether the thread has been woken and nobody has looked since.
        var isWoken = false
        /// Whether the thread sleeps, or is about to and has looked for the last time.
        var isAsleep = false

        var isEmpty: Bool { new.isEmpty && cancelled.isEmpty && !isStopped }

        /// Whether the thread has to be woken for what was just put in: the first one does it for all.
        mutating func wakes() -> Bool {
            defer { isWoken = true }
            return isRunning && !isWoken
        }
    }

    /// What all calls together came to.
    struct Counts: Sendable, Equatable {
        /// Those that were sent twice count twice.
        var transfers = 0
        var connections = 0
        var underWay = 0
        /// The longest time by which a call outlived its deadline.
        var longestOverrun = Duration.zero
    }

    private let options: HTTPClient.Options
    private let inbox = Mutex(Inbox())
    /// All but the two below.
    private let tally = Mutex(Counts())
    private let begun = Atomic(0)
    private let underWay = Atomic(0)
    /// Owned: made in `init`, freed in `deinit`, when the thread has left it.
    private let multi: UnsafeMutableRawPointer
    /// What the thread sleeps on; owned like `multi`.
    private let watch: UnsafeMutablePointer<knot_curl_watch>
    /// Had by whoever drives curl; nobody is told an outcome by whoever has it.
    private let turn = Mutex(())
    private let clock = LoopClock()
    /// By the keys of their handles.
    private var active: [UInt: (easy: EasyHandle, transfer: Transfer)] = [:]
    private var idle: [EasyHandle] = []
    /// What has an outcome which its caller has not been told.
    private var ended: [(transfer: Transfer, outcome: Transfer.Outcome)] = []
    /// When a limit may be passed.
    private var nextLook = never
    /// When curl wants to be called whatever comes.
    private var curlsDue = never
    /// When the thread is awake whatever comes; earlier than it has to be costs nothing.
    private var alarm = never
    /// Until the alarm, in milliseconds.
    private var mostSleep: Int32 = 0

    private static let never = ContinuousClock.now + .seconds(1 << 32)
    /// Handles that are kept for later calls.
    private static let mostIdle = 64
    /// Whether the system has libcurl, which is loaded here.
    static let hasLibrary = knot_load_curl()
    /// To be called once, before there are other threads that use curl.
    private static let isReady: Bool = {
        guard hasLibrary else { return false }
        knot_curl_keep_large_blocks_apart()
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    /// Nil where the system has no libcurl, no memory or no thread left.
    init?(_ options: HTTPClient.Options) {
        guard Self.isReady, let made = unsafe curl_multi_init() else { return nil }
        unsafe multi = made
        guard let watch = unsafe knot_curl_watch_make(made) else {
            unsafe curl_multi_cleanup(made)
            return nil
        }
        unsafe self.watch = watch
        self.options = options
        _ = unsafe knot_curl_set_multi_long(multi, CURLMOPT_MAXCONNECTS, options.mostIdleConnections)
        _ = unsafe knot_curl_set_multi_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 0)
        inbox.withLock { $0.isRunning = true }
        guard OwnThread.start({ self.work() }) else {
            inbox.withLock { $0.isRunning = false }
            return nil
        }
    }

    deinit {
        // No handle is left in it: the loop's end took them off.
        unsafe curl_multi_cleanup(multi)
        unsafe knot_curl_watch_free(watch)
    }

    var counts: Counts {
        var counts = tally.withLock { $0 }
        counts.transfers = begun.load(ordering: .relaxed)
        counts.underWay = underWay.load(ordering: .relaxed)
        return counts
    }

    /// Hands a transfer over; it is finished in any case.
    func begin(_ transfer: Transfer) {
        let next = inbox.withLock { inbox -> Next in
            guard inbox.isRunning, !inbox.isStopped else { return .refuse }
            inbox.new.append(transfer)
            // The thread looks into the inbox before it goes to sleep.
            return inbox.isAsleep ? .drive : .leave
        }
        switch next {
        case .refuse: transfer.finish(.failure(closed(transfer)))
        case .leave: break
        case .drive:
            for _ in 0..<Self.mostTurns {
                // Whoever has the turn looks into the inbox after it was given back, as this caller does.
                guard let ended = turn.withLockIfAvailable({ _ in drive([], isAwake: false) }) else { return }
                Self.tell(ended)
                if inbox.withLock({ $0.new.isEmpty }) { return }
            }
            // A caller has its own work to do.
            wake { _ in }
        }
    }

    /// What becomes of a transfer that is handed over.
    private enum Next { case refuse, leave, drive }

    /// Turns that a caller takes for others, one after another.
    private static let mostTurns = 4

    /// Ends the transfer of a flag that was set just before.
    func cancel(_ cancellation: Transfer.Cancellation) {
        wake { $0.cancelled.append(cancellation) }
    }

    /// Lets the thread end; transfers under way fail.
    func stop() {
        wake { $0.isStopped = true }
    }

    private func wake(_ change: (inout Inbox) -> Void) {
        let wakes = inbox.withLock { inbox in
            guard inbox.isRunning else { return false }
            change(&inbox)
            return inbox.wakes()
        }
        if wakes { unsafe knot_curl_ring(watch) }
    }

    // MARK: The thread

    /// What the thread is called, for whoever looks at the process.
    static let threadName = "knot-http"

    private func work() {
        unsafe knot_curl_name_thread(Self.threadName)
        var events = [knot_curl_event](repeating: knot_curl_event(), count: Int(knot_curl_most_events))
        var found = 0
        while !inbox.withLock({ $0.isStopped }) {
            Self.tell(turn.withLock { _ in drive(events.prefix(found), isAwake: true) })
            found = 0
            let isAsleep = inbox.withLock { inbox in
                inbox.isAsleep = inbox.isEmpty
                return inbox.isAsleep
            }
            guard isAsleep else { continue }
            // The array has room for as many as the call fills in.
            found = unsafe events.withUnsafeMutableBufferPointer { room in
                unsafe room.baseAddress.map { Int(unsafe knot_curl_sleep(watch, $0, mostSleep)) } ?? 0
            }
        }
        Self.tell(turn.withLock { _ in end() })
    }

    private static func tell(_ ended: [(transfer: Transfer, outcome: Transfer.Outcome)]) {
        for (transfer, outcome) in ended { transfer.finish(outcome) }
    }

    // MARK: With the turn

    /// Lets curl do what there is to do; returns what has come to its end.
    ///
    /// The thread is awake while it has the turn, and asleep, or about to be, while a caller has it.
    private func drive(
        _ events: ArraySlice<knot_curl_event>,
        isAwake: Bool
    ) -> [(transfer: Transfer, outcome: Transfer.Outcome)] {
        let (new, cancelled) = inbox.withLock { inbox in
            defer {
                if !inbox.new.isEmpty { inbox.new = [] }
                if !inbox.cancelled.isEmpty { inbox.cancelled = [] }
                inbox.isWoken = false
                if isAwake { inbox.isAsleep = false }
            }
            return (inbox.new, inbox.cancelled)
        }
        clock.now = .now
        for transfer in new { add(transfer) }
        for cancellation in cancelled { remove(cancellation) }
        // Whoever has the turn alone drives the handle.
        for event in events { unsafe knot_curl_act(multi, watch, event) }
        if curlsDue <= clock.now {
            curlsDue = Self.never
            unsafe knot_curl_act(multi, watch, knot_curl_event(socket: CURL_SOCKET_BAD, what: 0))
        }
        unsafe knot_curl_settle(multi, watch)
        collect()
        clock.now = .now
        look(at: clock.now)
        setAlarm(at: clock.now, isAwake: isAwake)
        defer { ended = [] }
        return ended
    }

    private func add(_ transfer: Transfer) {
        if let failure = transfer.isCancelled ? Self.cancelled(transfer) : handedOver(transfer) {
            ended.append((transfer, .failure(failure)))
        }
    }

    /// Hands a transfer to curl; the failure where that cannot be done.
    private func handedOver(_ transfer: Transfer) -> HTTPFailure? {
        guard let easy = unsafe idle.popLast() ?? EasyHandle(options, watch) else {
            return HTTPFailure(.unavailable, host: "", "the system has no memory")
        }
        if let failure = transfer.prepare(easy, clock) {
            transfer.letGoOfHandle()
            return failure
        }
        guard unsafe curl_multi_add_handle(multi, easy.pointer) == CURLM_OK else {
            transfer.letGoOfHandle()
            return HTTPFailure(.unavailable, host: "", "curl takes no further transfer")
        }
        active[easy.key] = (easy, transfer)
        begun.wrappingAdd(1, ordering: .relaxed)
        underWay.wrappingAdd(1, ordering: .relaxed)
        nextLook = min(nextLook, transfer.firstLook)
        return nil
    }

    /// Takes a transfer off and notes its outcome.
    private func finish(_ key: UInt, _ outcome: (Transfer) -> Transfer.Outcome) {
        guard let (easy, transfer) = active.removeValue(forKey: key) else { return }
        let connections = easy.connectionsMade
        unsafe curl_multi_remove_handle(multi, easy.pointer)
        let outcome = outcome(transfer)
        transfer.letGoOfHandle()
        if idle.count < Self.mostIdle, easy.forget() { idle.append(easy) }
        // A call that is begun after its deadline is late by its caller's doing.
        let end = max(transfer.deadline, transfer.start)
        if connections > 0 || clock.now >= end {
            tally.withLock { tally in
                tally.connections += connections
                tally.longestOverrun = max(tally.longestOverrun, end.duration(to: .now))
            }
        }
        if transfer.sendings > 1 { begun.wrappingAdd(transfer.sendings - 1, ordering: .relaxed) }
        underWay.wrappingSubtract(1, ordering: .relaxed)
        ended.append((transfer, outcome))
    }

    private func remove(_ cancellation: Transfer.Cancellation) {
        guard let found = active.first(where: { $0.value.transfer.belongs(to: cancellation) }) else { return }
        finish(found.key) { .failure(Self.cancelled($0)) }
    }

    /// Finishes what curl says has ended.
    private func collect() {
        var code = CURLE_OK
        // The value outlives the call; the message it comes from is read before the next call.
        while let pointer = unsafe knot_curl_next_done(multi, &code) {
            let result = code
            finish(UInt(bitPattern: pointer)) { $0.outcome(of: result) }
        }
    }

    /// Ends what has passed a limit, and finds out when the next one may.
    private func look(at now: ContinuousClock.Instant) {
        guard now >= nextLook else { return }
        var next = Self.never
        var late: [(UInt, HTTPFailure)] = []
        for (key, entry) in active {
            switch entry.transfer.look(entry.easy, at: now) {
            case .success(let instant): next = min(next, instant)
            case .failure(let failure): late.append((key, failure))
            }
        }
        for (key, failure) in late { finish(key) { _ in .failure(failure) } }
        nextLook = next
    }

    /// Has the thread woken when curl wants to be called, or a limit may be passed.
    private func setAlarm(at now: ContinuousClock.Instant, isAwake: Bool) {
        // The structure is the loop's, and whoever has the turn alone reads and writes this part of it.
        let wait = unsafe watch.pointee.wait
        if wait != Int(knot_curl_as_before) {
            unsafe watch.pointee.wait = Int(knot_curl_as_before)
            curlsDue = wait < 0 ? Self.never : now + .milliseconds(wait)
        }
        let next = min(nextLook, curlsDue)
        guard isAwake || next < alarm else { return }
        alarm = next
        let left = min(max(.zero, now.duration(to: next)), .seconds(3_600))
        // Rounded up, or the last millisecond would be spent spinning.
        let milliseconds = left == .zero ? 0 : Int32(left / .milliseconds(1)) + 1
        if isAwake {
            mostSleep = milliseconds
        } else if unsafe !knot_curl_set_alarm(watch, milliseconds) {
            unsafe knot_curl_ring(watch)
        }
    }

    private func end() -> [(transfer: Transfer, outcome: Transfer.Outcome)] {
        for key in Array(active.keys) { finish(key) { .failure(self.closed($0)) } }
        let new = inbox.withLock { inbox in
            inbox.isRunning = false
            defer { inbox.new = [] }
            return inbox.new
        }
        idle = []
        defer { ended = [] }
        return ended + new.map { ($0, .failure(closed($0))) }
    }

    private func closed(_ transfer: Transfer) -> HTTPFailure {
        HTTPFailure(.unavailable, host: transfer.url.shownHost, "the client is closed")
    }

    private static func cancelled(_ transfer: Transfer) -> HTTPFailure {
        HTTPFailure(.cancelled, host: transfer.url.shownHost, "")
    }
}

/// The time as whoever drives curl read it last: the lines of a head come together, and need no reading each.
final class LoopClock: @unchecked Sendable {
    // Proof of @unchecked Sendable: whoever has the loop's turn alone touches it.
    var now = ContinuousClock.now
}
