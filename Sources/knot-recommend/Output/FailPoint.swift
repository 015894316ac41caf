import Glibc

/// Named moments at which a test ends the process as a power cut would; in a released build there are none.
enum FailPoint {
    /// Ends the process where `KNOT_FAIL_POINT` names this moment, or waits where `KNOT_WAIT_POINT` does.
    ///
    /// A wait ends when the file that follows the name and an equals sign is there.
    static func reach(_ name: StaticString) {
        #if DEBUG
        let asked = unsafe getenv("KNOT_FAIL_POINT").map { unsafe String(cString: $0) }
        if asked == "\(name)" { _ = kill(getpid(), SIGKILL) }
        let wait = unsafe getenv("KNOT_WAIT_POINT").map { unsafe String(cString: $0) }
        guard let wait, wait.hasPrefix("\(name)=") else { return }
        let file = String(wait.dropFirst("\(name)=".count))
        while FileStatus(path: file) == nil { _ = usleep(10_000) }
        #endif
    }
}
