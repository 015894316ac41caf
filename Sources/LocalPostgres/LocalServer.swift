import Glibc

/// A PostgreSQL server of our own in a private folder, reachable by its Unix socket only.
///
/// Every operation blocks for up to some seconds and belongs on a thread of our own. Operations on the same folder, also
/// of other processes, wait for each other.
package struct LocalServer: Sendable {
    package enum Status: Sendable, Equatable {
        /// There is no such server.
        case absent
        /// There are data, and no server runs on them.
        case stopped
        case running(RunningServer)
    }

    package let folder: ServerFolder
    let search: ServerSearch
    let settings: ServerSettings
    /// How long another start or stop of the same server is waited for.
    let patience: Duration

    package init(
        folder: String,
        search: ServerSearch,
        settings: ServerSettings = ServerSettings(),
        patience: Duration = .seconds(60)
    ) throws(LocalServerError) {
        guard folder.hasPrefix("/"), folder.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
            throw LocalServerError(.foreignFolder, "\(folder) is not an absolute path", todo: "name a folder from / on")
        }
        self.folder = ServerFolder(path: Self.resolved(folder))
        self.search = search
        self.settings = settings
        self.patience = patience
    }

    /// Starts the server, with new data where there are none; a running one is left alone and returned.
    package func start() throws(LocalServerError) -> RunningServer {
        if let running = try running() { return running }
        let account = try ServerAccount.current()
        // Found before anything is made: a machine without a server keeps its disk as it was.
        _ = try search.serving(majorVersion: dataVersion)
        try folder.claim(for: account)
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        return try startLocked(as: account)
    }

    /// Stops the server and waits for its end; false when none ran.
    package func stop() throws(LocalServerError) -> Bool {
        guard try folder.isOurs() else { return false }
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        return try stopLocked()
    }

    package func status() throws(LocalServerError) -> Status {
        if let running = try running() { return .running(running) }
        guard try folder.isOurs(), dataVersion != nil else { return .absent }
        return .stopped
    }

    /// Stops the server, deletes its data and starts it with new ones.
    package func reset() throws(LocalServerError) -> RunningServer {
        let account = try ServerAccount.current()
        _ = try search.serving()
        try folder.claim(for: account)
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        _ = try stopLocked()
        for path in [folder.data, folder.unfinishedData, folder.socketFolder, folder.log] {
            try ServerFiles.removeTree(path)
        }
        return try startLocked(as: account)
    }

    /// Stops the server and deletes its whole folder.
    package func remove() throws(LocalServerError) {
        guard try folder.isOurs() else { return }
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        _ = try stopLocked()
        try ServerFiles.removeTree(folder.socketFolder)
        try ServerFiles.removeTree(folder.path)
    }

    /// The running server that takes connections, if it is ours.
    func running() throws(LocalServerError) -> RunningServer? {
        guard try folder.isOurs(), let file = PostmasterFile.read(inData: folder.data), file.isReady,
            isOurs(file), let version = dataVersion
        else { return nil }
        return RunningServer(
            pid: file.pid,
            majorVersion: version,
            folder: folder.path,
            socketFolder: file.socketFolder
        )
    }

    /// Whether the process in the file is really the server of our data: a pid alone may belong to anybody by now.
    func isOurs(_ file: PostmasterFile) -> Bool {
        ProcessTable.folder(of: file.pid) == folder.data && ProcessTable.isRunning(file.pid)
    }

    /// The major version that made the data; nil when there are none.
    var dataVersion: Int? {
        ServerFiles.read(folder.data + "/PG_VERSION", limit: 16).flatMap { Int($0.prefix { $0.isNumber }) }
    }

    private func lock() throws(LocalServerError) -> FolderLock {
        if let lock = try FolderLock.acquire(folder.lock, patience: patience) { return lock }
        throw LocalServerError(
            .busy,
            "another start, stop or reset of the server in \(folder.path) goes on",
            todo: "try again when it is done"
        )
    }

    /// Follows the links of the part of a path that exists: the system names working folders without any.
    private static func resolved(_ path: String) -> String {
        if let resolved = ServerFiles.resolved(path) { return resolved }
        let trimmed = path.last == "/" ? String(path.dropLast()) : path
        guard let parent = ServerFiles.parent(of: trimmed), parent != trimmed else { return trimmed }
        let base = resolved(parent)
        let name = trimmed[(trimmed.lastIndex(of: "/") ?? trimmed.startIndex)...]
        return base == "/" ? String(name) : base + name
    }
}

/// A server of ours that takes connections.
package struct RunningServer: Sendable, Equatable {
    /// The superuser, and the database that stands ready.
    package static let user = "knot"
    package static let database = "knot"

    package let pid: Int32
    package let majorVersion: Int
    package let folder: String
    package let socketFolder: String

    /// A connection URL for libpq that no `PG*` variable changes.
    package var url: String { url(database: Self.database) }

    /// The URL of another database of this server, or for another role.
    package func url(database: String, user: String = user) -> String {
        "postgresql://\(Self.escaped(user))@/\(Self.escaped(database))?host=\(Self.escaped(socketFolder))&port=5432"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "/"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return escaped
    }
}

/// Why a server of our own could not be found, started, stopped or looked at.
package struct LocalServerError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// No PostgreSQL on this machine can serve.
        case noServer
        /// The folder was not made by us, so nothing in it is touched.
        case foreignFolder
        /// The folder holds the data of a major version that is not here.
        case otherVersion
        /// Nothing runs, and what was asked needs a running server.
        case notRunning
        /// Another start, stop or reset of the same server goes on.
        case busy
        /// A folder cannot be written or entered by who has to.
        case notPermitted
        case pathTooLong
        case diskFull
        case startFailed
        case stopFailed
        case inputOutput
    }

    package let code: Code
    /// A sentence naming the thing.
    package let what: String
    /// What the person can do about it.
    package let todo: String

    init(_ code: Code, _ what: String, todo: String) {
        self.code = code
        self.what = what
        self.todo = todo
    }

    package var description: String { "\(what); \(todo)" }
}
