import CCurl
import Synchronization
import Threads

/// One thread that carries all transfers of a client, each until it has an outcome.
///
/// The thread holds this object until `stop`; only the client's end calls that.
@safe final class TransferLoop: @unchecked Sendable {
    // Proof of @unchecked Sendable: `inbox` is behind its lock, `multi` is used by other threads only to wake the loop and
    // only under that lock while the loop runs, and everything else is the thread's alone.
    private struct Inbox {
        var new: [Transfer] = []
        var cancelled: [Transfer.Cancellation] = []
        var isStopped = false
        /// Whether `multi` is there to be woken.
        var isRunning = false
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
    private let multi: UnsafeMutableRawPointer
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
        self.options = options
        _ = unsafe knot_curl_set_multi_long(multi, CURLMOPT_MAXCONNECTS, options.mostIdleConnections)
        _ = unsafe knot_curl_set_multi_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 0)
        inbox.withLock { $0.isRunning = true }
        guard OwnThread.start({ self.work() }) else {
            inbox.withLock { $0.isRunning = false }
            unsafe curl_multi_cleanup(multi)
            return nil
        }
    }

    var counts: Counts { tally.withLock { $0 } }

    /// Hands a transfer over; it is finished in any case.
    func begin(_ transfer: Transfer) {
        let isTaken = inbox.withLock { inbox in
            guard inbox.isRunning, !inbox.isStopped else { return false }
            inbox.new.append(transfer)
            // The call writes one byte to a socket that never blocks, and the loop ends only under this lock.
            unsafe curl_multi_wakeup(multi)
            return true
        }
        if !isTaken { transfer.finish(.failure(closed(transfer))) }
    }

    /// Ends the transfer of a flag that was set just before.
    func cancel(_ cancellation: Transfer.Cancellation) {
        inbox.withLock { inbox in
            guard inbox.isRunning else { return }
            inbox.cancelled.append(cancellation)
            unsafe curl_multi_wakeup(multi)
        }
    }

    /// Lets the thread end; transfers under way fail.
    func stop() {
        inbox.withLock { inbox in
            inbox.isStopped = true
            if inbox.isRunning { unsafe curl_multi_wakeup(multi) }
        }
    }

    // MARK: On the thread

    private func work() {
        while true {
            let (new, cancelled, isStopped) = inbox.withLock { inbox in
                defer {
                    inbox.new = []
                    inbox.cancelled = []
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
        guard let easy = idle.popLast() ?? EasyHandle() else {
            return transfer.finish(.failure(HTTPFailure(.unavailable, host: "", "the system has no memory")))
        }
        if let failure = transfer.prepare(easy, options) {
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
        easy.reset()
        if idle.count < Self.mostIdle { idle.append(easy) }
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
        unsafe curl_multi_poll(multi, nil, 0, milliseconds, nil)
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
        // Nobody wakes the loop any more, and no handle is left in it.
        unsafe curl_multi_cleanup(multi)
    }

    private func closed(_ transfer: Transfer) -> HTTPFailure {
        HTTPFailure(.unavailable, host: transfer.url.shownHost, "the client is closed")
    }

    private static func cancelled(_ transfer: Transfer) -> HTTPFailure {
        HTTPFailure(.cancelled, host: transfer.url.shownHost, "")
    }
}
