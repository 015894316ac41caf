import Glibc

/// Ends the process within a moment of Ctrl-C or a polite kill, with nothing half-written left behind.
///
/// The signals are blocked everywhere and taken by one thread that waits for them, so that what it does is ordinary code and
/// not a handler in which almost nothing is allowed.
enum SignalWatch {
    /// Call once, first thing on the main thread: later threads inherit the blocked signals.
    static func start() {
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
        if failed != 0 { _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
    }

    private static func watched() -> sigset_t {
        var signals = sigset_t()
        // The set is alive for the calls, which only fill it.
        _ = unsafe sigemptyset(&signals)
        _ = unsafe sigaddset(&signals, SIGINT)
        _ = unsafe sigaddset(&signals, SIGTERM)
        return signals
    }

    private static func waitAndEnd() -> Never {
        var signals = watched()
        var number: Int32 = 0
        // Both live on this thread's stack for the call; an error only means waiting again.
        while unsafe sigwait(&signals, &number) != 0 {}
        TemporaryFiles.shared.removeAll()
        ProgressLine.shared.erase()
        _exit(number == SIGINT ? ExitCode.interrupted.rawValue : ExitCode.terminated.rawValue)
    }

    /// A closed standard descriptor would be reused by the next file opened, and our output would land in it.
    private static func keepStandardDescriptors() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
            // Opened for the other direction, so that using it is still the error it was.
            _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
