import Glibc
import Synchronization

/// Ends the process within a moment of Ctrl-C or a polite kill, with nothing half-written left behind.
///
/// The signals are blocked and taken by one thread that waits for them, so that what it does is ordinary code and not a
/// handler in which almost nothing is allowed. A thread of the system's libraries that blocks nothing hands them on to it.
package enum SignalWatch {
    /// The thread that waits; written once, before the handlers that read it are set.
    private nonisolated(unsafe) static var waiter = pthread_t()

    /// Who takes a polite signal where it is not to end the process at once.
    private static let taker = Mutex<(@Sendable (Int32) -> Bool)?>(nil)

    /// Lets somebody take Ctrl-C, polite kills and the end of the terminal: whoever returns false leaves the process to its end.
    ///
    /// It is called on the thread that waits for signals, so it must not take long.
    package static func handOver(to taker: (@Sendable (Int32) -> Bool)?) {
        self.taker.withLock { $0 = taker }
    }

    /// Call once, first thing on the main thread: later threads inherit the blocked signals.
    package static func start() {
        keepStandardDescriptors()
        // A reader that went away must be an error of the write and not the end of the process.
        _ = signal(SIGPIPE, SIG_IGN)
        var signals = watched()
        // The set is alive for the call, which copies it.
        _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        var thread = pthread_t()
        let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
            SignalWatch.waitAndEnd()
        }
        let failed = unsafe pthread_create(&thread, nil, entry, nil)
        // Without the thread the signals keep their usual meaning: the end, without the tidying.
        guard failed == 0 else {
            _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            return
        }
        unsafe waiter = thread
        // libdispatch keeps a thread that takes every signal; there it would end the process without the tidying.
        for number in [SIGINT, SIGTERM, SIGHUP] where unsafe sigismember(&signals, number) == 1 {
            _ = signal(number) { number in _ = unsafe pthread_kill(SignalWatch.waiter, number) }
        }
    }

    private static func watched() -> sigset_t {
        var signals = sigset_t()
        // The set is alive for the calls, which only fill it.
        _ = unsafe sigemptyset(&signals)
        _ = unsafe sigaddset(&signals, SIGINT)
        _ = unsafe sigaddset(&signals, SIGTERM)
        // What was started to outlive its terminal ignores the hang-up, and goes on ignoring it.
        if !ignores(SIGHUP) { _ = unsafe sigaddset(&signals, SIGHUP) }
        return signals
    }

    private static func ignores(_ number: Int32) -> Bool {
        var action = sigaction()
        // Only asked for: the action is alive for the call, which fills it.
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        // What ignoring is called is a cast in C that Swift does not read: the handler at the address 1.
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    private static func waitAndEnd() -> Never {
        var signals = watched()
        var number: Int32 = 0
        while true {
            // Both live on this thread's stack for the call; an error only means waiting again.
            while unsafe sigwait(&signals, &number) != 0 {}
            let taker = taker.withLock { $0 }
            guard taker?(number) == true else { end(by: number) }
        }
    }

    /// Ends the process as a signal of that number would, with nothing half-written left behind.
    package static func end(by number: Int32) -> Never {
        TemporaryFiles.shared.removeAll()
        ProgressLine.shared.erase()
        if number == SIGHUP { endByHangUp() }
        _exit(number == SIGINT ? ExitCode.interrupted.rawValue : ExitCode.terminated.rawValue)
    }

    /// Ends by the signal itself, which has no exit code of ours; a shell shows 129.
    private static func endByHangUp() {
        _ = signal(SIGHUP, SIG_DFL)
        var signals = sigset_t()
        // The set is alive for the calls, which fill and copy it; the signal comes the moment this thread takes it again.
        _ = unsafe sigemptyset(&signals)
        _ = unsafe sigaddset(&signals, SIGHUP)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        _ = raise(SIGHUP)
    }

    /// A closed standard descriptor would be reused by the next file opened, and our output would land in it.
    private static func keepStandardDescriptors() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
            // Opened for the other direction, so that using it is still the error it was.
            _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
