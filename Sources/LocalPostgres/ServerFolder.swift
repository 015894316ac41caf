import Digest
import Glibc

/// The folder of one server of ours: a marker that says whose it is, a lock, the data, the socket and the log.
package struct ServerFolder: Sendable, Equatable {
    /// Absolute, without links.
    package let path: String

    /// Longest path of a socket that the system takes, without its terminator.
    static let socketLimit = 107
    static let socketName = ".s.PGSQL.5432"

    static let marking = """
        knot-recommend made this folder for a PostgreSQL server of its own.
        `knot-recommend dev-db reset` deletes the data in it; without this file nothing here is touched.

        """

    var marker: String { path + "/knot-server" }
    var lock: String { path + "/lock" }
    var data: String { path + "/data" }
    /// The data while they are being made: renamed when they are whole.
    var unfinishedData: String { path + "/data.unfinished" }
    package var log: String { path + "/server.log" }
    var authentication: String { path + "/pg_hba.conf" }

    /// Where the socket lies: in the folder, or in a short one of its own when the path would be too long.
    var socketFolder: String {
        let inside = path + "/socket"
        if inside.utf8.count + 1 + Self.socketName.utf8.count <= Self.socketLimit { return inside }
        return "/tmp/knot-\(geteuid())-\(SHA256Digest(of: path).hex.prefix(16))"
    }

    /// Says whether the folder is ours: false when it does not exist or is empty, an error when it is somebody else's.
    func isOurs() throws(LocalServerError) -> Bool {
        guard let entry = ServerFiles.entry(at: path, followingLinks: true) else { return false }
        guard entry.isFolder else { throw foreign("\(path) is not a folder") }
        guard entry.owner == geteuid() else { throw foreign("the folder \(path) belongs to another user") }
        if let marker = ServerFiles.entry(at: marker), marker.isFile, marker.owner == geteuid() { return true }
        guard ServerFiles.names(in: path).isEmpty else { throw foreign("the folder \(path) holds other things") }
        return false
    }

    /// Makes the folder, or takes an empty one, for a server of this account.
    func claim(for account: ServerAccount) throws(LocalServerError) {
        guard try !isOurs() else { return }
        guard path.utf8.count <= 900 else {
            throw LocalServerError(.pathTooLong, "the path \(path) is too long", todo: "choose a shorter folder")
        }
        // As root the folder stays ours and the account only passes through it to its data.
        let mode: mode_t = account.user == nil ? 0o700 : 0o711
        try checkWay(for: account)
        try ServerFiles.makeFolder(path, mode: mode)
        guard unsafe chmod(path, mode) == 0 else { throw ServerFiles.failure(errno, "cannot set the mode of \(path)") }
        try ServerFiles.write(Self.marking, to: marker, mode: 0o600)
    }

    private func checkWay(for account: ServerAccount) throws(LocalServerError) {
        guard let obstacle = account.obstacle(onTheWayTo: path) else { return }
        throw LocalServerError(
            .notPermitted,
            "the server runs as \(account.name), who may not enter \(obstacle)",
            todo: "choose another folder"
        )
    }

    /// Makes a folder for the server's account alone.
    func makePrivate(_ folder: String, for account: ServerAccount) throws(LocalServerError) {
        if let entry = ServerFiles.entry(at: folder) {
            guard entry.isFolder, entry.owner == account.user ?? geteuid(), entry.mode & 0o077 == 0 else {
                throw foreign("\(folder) is not a private folder of \(account.name)")
            }
            return
        }
        guard unsafe mkdir(folder, 0o700) == 0 else {
            throw ServerFiles.failure(errno, "cannot make the folder \(folder)")
        }
        try ServerFiles.give(folder, to: account)
    }

    private func foreign(_ what: String) -> LocalServerError {
        LocalServerError(.foreignFolder, "\(what), not a server of ours", todo: "choose another folder")
    }
}

/// A lock file held by one process at a time; the system lets go of it when the process ends, however it ends.
struct FolderLock: ~Copyable {
    private let descriptor: Int32

    deinit {
        _ = close(descriptor)
    }

    /// Nil when somebody else holds the lock until the patience is over.
    static func acquire(_ path: String, patience: Duration) throws(LocalServerError) -> FolderLock? {
        let deadline = ContinuousClock.now + patience
        while true {
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw ServerFiles.failure(errno, "cannot open \(path)") }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                var status = stat()
                _ = unsafe fstat(descriptor, &status)
                // A holder may have deleted the whole folder meanwhile: then this lock locks nothing.
                if ServerFiles.entry(at: path) == ServerFiles.Entry(status) {
                    return FolderLock(descriptor: descriptor)
                }
                _ = close(descriptor)
                guard ServerFiles.parent(of: path).flatMap({ ServerFiles.entry(at: $0) }) != nil else { return nil }
            } else {
                let fault = errno
                _ = close(descriptor)
                guard fault == EWOULDBLOCK || fault == EINTR else {
                    throw ServerFiles.failure(fault, "cannot lock \(path)")
                }
                guard ContinuousClock.now < deadline else { return nil }
                ProcessTable.pause(milliseconds: 10)
            }
        }
    }
}

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
