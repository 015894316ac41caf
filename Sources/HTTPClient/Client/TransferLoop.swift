import CCurl
import Synchronization
import Threads

/// One thread that carries all transfers of a client, each until it has an outcome.
///
/// The thread holds this object until `stop`; only the client's end calls that.
@safe final class TransferLoop: @unchecked Sendable {
    // Proof of @unchecked Sendable: `inbox` and `tally` are behind their locks, `bell` is a number that does not change, and
    // everything else is the thread's alone, until it has ended and nobody holds this object any more.
    private struct Inbox {
        var new: [Transfer] = []
        var cancelled: [Transfer.Cancellation] = []
        var isStopped = false
        /// Whether the loop takes anything more.
        var isRunning = false
        /// Whether the loop has been woken and has not looked since.
        var isWoken = false

        /// Whether the loop has to be woken for what was just put in: the first one does it for all.
        mutating func wakes() -> Bool {
            defer { isWoken = true }
            return isRunning && !isWoken
        }
    }

    /// What all calls together came to.
    struct Counts: Sendable, Equatable {
        var transfers = 0
        var connections = 0
        var underWay = 0
        /// The longest time by which a call outlived its deadline.
        var longestOverrun = Duration.zero
    }

    private let options: HTTPClient.Options
    private let inbox = Mutex(Inbox())
    private let tally = Mutex(Counts())
    /// Owned: made in `init`, freed in `deinit`, when the thread has left it.
    private let multi: UnsafeMutableRawPointer
    /// Rung without the lock, which the thread asks for as soon as it is awake; owned like `multi`.
    private let bell: Int32
    /// By the keys of their handles.
    private var active: [UInt: (easy: EasyHandle, transfer: Transfer)] = [:]
    private var idle: [EasyHandle] = []
    private var nextLook = ContinuousClock.now

    /// Handles that are kept for later calls.
    private static let mostIdle = 64
    /// To be called once, before there are other threads that use curl.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Nil where the system has no memory or no thread left.
    init?(_ options: HTTPClient.Options) {
        guard Self.isReady, let made = unsafe curl_multi_init() else { return nil }
        unsafe multi = made
        bell = knot_curl_bell_make()
        self.options = options
        guard bell >= 0 else { return nil }
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
        if bell >= 0 { knot_curl_bell_close(bell) }
    }

    var counts: Counts { tally.withLock { $0 } }

    /// Hands a transfer over; it is finished in any case.
    func begin(_ transfer: Transfer) {
        let (isTaken, wakes) = inbox.withLock { inbox in
            guard inbox.isRunning, !inbox.isStopped else { return (false, false) }
            inbox.new.append(transfer)
            return (true, inbox.wakes())
        }
        if wakes { knot_curl_bell_ring(bell) }
        if !isTaken { transfer.finish(.failure(closed(transfer))) }
    }

    /// Ends the transfer of a flag that was set just before.
    func cancel(_ cancellation: Transfer.Cancellation) {
        let wakes = inbox.withLock { inbox in
            guard inbox.isRunning else { return false }
            inbox.cancelled.append(cancellation)
            return inbox.wakes()
        }
        if wakes { knot_curl_bell_ring(bell) }
    }

    /// Lets the thread end; transfers under way fail.
    func stop() {
        let wakes = inbox.withLock { inbox in
            inbox.isStopped = true
            return inbox.wakes()
        }
        if wakes { knot_curl_bell_ring(bell) }
    }

    // MARK: On the thread

    /// What the thread is called, for whoever looks at the process.
    static let threadName = "knot-http"

    private func work() {
        unsafe knot_curl_name_thread(Self.threadName)
        while true {
            let (new, cancelled, isStopped) = inbox.withLock { inbox in
                defer {
                    inbox.new = []
                    inbox.cancelled = []
                    inbox.isWoken = false
                }
                return (inbox.new, inbox.cancelled, inbox.isStopped)
            }
            if isStopped { return end(new) }
            for transfer in new { add(transfer) }
            for cancellation in cancelled { remove(cancellation) }
            var running: Int32 = 0
            // The loop's thread alone drives the handle, and the value outlives the call.
            unsafe curl_multi_perform(multi, &running)
            collect()
            look()
            wait()
        }
    }

    private func add(_ transfer: Transfer) {
        guard !transfer.isCancelled else { return transfer.finish(.failure(Self.cancelled(transfer))) }
        guard let easy = idle.popLast() ?? EasyHandle(options) else {
            return transfer.finish(.failure(HTTPFailure(.unavailable, host: "", "the system has no memory")))
        }
        if let failure = transfer.prepare(easy) {
            transfer.letGoOfHandle()
            return transfer.finish(.failure(failure))
        }
        guard unsafe curl_multi_add_handle(multi, easy.pointer) == CURLM_OK else {
            transfer.letGoOfHandle()
            return transfer.finish(.failure(HTTPFailure(.unavailable, host: "", "curl takes no further transfer")))
        }
        active[easy.key] = (easy, transfer)
        tally.withLock { tally in
            tally.transfers += 1
            tally.underWay += 1
        }
        nextLook = .now
    }

    /// Takes a transfer off and gives its caller the outcome.
    private func finish(_ key: UInt, _ outcome: (Transfer) -> Transfer.Outcome) {
        guard let (easy, transfer) = active.removeValue(forKey: key) else { return }
        let connections = easy.connectionsMade
        unsafe curl_multi_remove_handle(multi, easy.pointer)
        let outcome = outcome(transfer)
        transfer.letGoOfHandle()
        if idle.count < Self.mostIdle, easy.forget() { idle.append(easy) }
        // A call that is begun after its deadline is late by its caller's doing.
        let overrun = max(transfer.deadline, transfer.start).duration(to: .now)
        tally.withLock { tally in
            tally.connections += connections
            tally.underWay -= 1
            tally.longestOverrun = max(tally.longestOverrun, overrun)
        }
        transfer.finish(outcome)
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
    private func look() {
        let now = ContinuousClock.now
        guard now >= nextLook else { return }
        var next = now + .seconds(3_600)
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

    /// Sleeps until something comes, curl has something to do, a limit may be passed, or somebody wakes the loop.
    private func wait() {
        let left = ContinuousClock.now.duration(to: nextLook)
        // Rounded up, or the last millisecond would be spent spinning.
        let milliseconds = left <= .zero ? 0 : Int32(min(3_600_000, left / .milliseconds(1))) + 1
        unsafe knot_curl_wait(multi, bell, milliseconds)
    }

    private func end(_ new: [Transfer]) {
        for transfer in new { transfer.finish(.failure(closed(transfer))) }
        for key in Array(active.keys) { finish(key) { .failure(self.closed($0)) } }
        let late = inbox.withLock { inbox in
            inbox.isRunning = false
            defer { inbox.new = [] }
            return inbox.new
        }
        for transfer in late { transfer.finish(.failure(closed(transfer))) }
        idle = []
    }

    private func closed(_ transfer: Transfer) -> HTTPFailure {
        HTTPFailure(.unavailable, host: transfer.url.shownHost, "the client is closed")
    }

    private static func cancelled(_ transfer: Transfer) -> HTTPFailure {
        HTTPFailure(.cancelled, host: transfer.url.shownHost, "")
    }
}
