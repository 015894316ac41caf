import Glibc

/// What a server wrote into `postmaster.pid` of its data folder.
struct PostmasterFile: Equatable {
    let pid: pid_t
    let socketFolder: String
    /// Whether the server takes connections; a standby takes those of readers.
    let isReady: Bool

    /// Nil when there is none or it is not written to its end.
    static func read(inData data: String) -> PostmasterFile? {
        guard let text = ServerFiles.read(data + "/postmaster.pid") else { return nil }
        return PostmasterFile(text)
    }

    /// Lines: pid, data folder, start time, port, socket folder, address, shared memory, state.
    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 5, let pid = pid_t(lines[0]), pid > 1 else { return nil }
        self.pid = pid
        socketFolder = String(lines[4])
        isReady = lines.count >= 8 && ["ready", "standby"].contains { lines[7].hasPrefix($0) }
    }
}
