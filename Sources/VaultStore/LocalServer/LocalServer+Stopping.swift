import Glibc

extension LocalServer {
    /// The stop itself, for who holds the folder's lock; false when no server ran.
    func stopLocked() throws(LocalServerError) -> Bool {
        guard let file = PostmasterFile.read(inData: folder.data), isOurs(file) else { return false }
        // Fast: open transactions are rolled back, everything committed is written. Immediate only when that hangs:
        // the next start then replays the log, and nothing committed is lost either.
        for (signal, patience) in [(SIGINT, Duration.seconds(20)), (SIGQUIT, .seconds(10)), (SIGKILL, .seconds(5))] {
            guard kill(file.pid, signal) == 0 || errno == ESRCH else {
                throw ServerFiles.failure(errno, "cannot stop the server in \(folder.path)")
            }
            if ProcessTable.wait(patience, until: { !isOurs(file) }) { return true }
        }
        throw LocalServerError(
            .stopFailed,
            "the server in \(folder.path), process \(file.pid), does not end",
            todo: "look at \(folder.log)"
        )
    }
}
