import Glibc

/// What the system says of running processes, through `/proc`.
enum ProcessTable {
    /// The working folder of a process that still runs; nil for an ended, unreaped or foreign one.
    static func folder(of pid: pid_t) -> String? {
        ServerFiles.linkTarget("/proc/\(pid)/cwd")
    }

    /// Whether a process runs; one that has ended and waits to be reaped does not.
    static func isRunning(_ pid: pid_t) -> Bool {
        guard let status = ServerFiles.read("/proc/\(pid)/stat") else { return false }
        // The state follows the name, which stands in parentheses and may hold anything.
        guard let end = status.lastIndex(of: ")") else { return false }
        let state = status[end...].dropFirst(2).first
        return state != "Z" && state != "X"
    }

    /// The processes that work in a folder: of a server, itself and its children.
    static func processes(in folder: String) -> [pid_t] {
        ServerFiles.names(in: "/proc").compactMap { pid_t($0) }.filter { self.folder(of: $0) == folder }
    }

    /// Blocks the thread for a moment; only for threads of our own.
    static func pause(milliseconds: Int) {
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        _ = unsafe nanosleep(&time, nil)
    }

    /// Looks again until the condition holds; false when it still does not after the patience.
    static func wait(_ patience: Duration, until condition: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + patience
        while !condition() {
            guard ContinuousClock.now < deadline else { return false }
            pause(milliseconds: 5)
        }
        return true
    }
}
