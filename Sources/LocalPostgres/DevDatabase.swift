import FileInput
import Glibc
import Threads

/// The database of a person who has none: what `dev-db` does, each verb as one call that returns a value.
package struct DevDatabase: Sendable {
    private let server: LocalServer

    /// Where its files are, or would be.
    package var folder: String { server.folder.path }

    /// In the folder of `KNOT_DEV_DB`, else in the user's data folder: `$XDG_DATA_HOME/knot-recommend/dev-db`, by default
    /// `~/.local/share/…`, and `/var/lib/…` for root, whose home the server's account may not enter.
    package init(environment: [String: String], folder: String? = nil) throws(LocalServerError) {
        let folder =
            if let folder { folder } else { try Self.defaultFolder(environment) }
        server = try LocalServer(folder: folder, search: ServerSearch(environment: environment))
    }

    /// Starts the database, makes it where there is none, and leaves a running one alone.
    package func start() async throws(LocalServerError) -> RunningServer {
        try await onOwnThread { server throws(LocalServerError) in try server.start() }
    }

    /// Stops the database and waits for its end; false when it did not run.
    package func stop() async throws(LocalServerError) -> Bool {
        try await onOwnThread { server throws(LocalServerError) in try server.stop() }
    }

    package func status() async throws(LocalServerError) -> LocalServer.Status {
        try await onOwnThread { server throws(LocalServerError) in try server.status() }
    }

    /// The running database's URL, for `DATABASE_URL`.
    package func url() async throws(LocalServerError) -> String {
        if case .running(let running) = try await status() { return running.url }
        throw LocalServerError(
            .notRunning,
            "the database in \(server.folder.path) does not run",
            todo: "run `knot-recommend dev-db start`"
        )
    }

    /// Stops the database, deletes all its data and starts it empty.
    package func reset() async throws(LocalServerError) -> RunningServer {
        try await onOwnThread { server throws(LocalServerError) in try server.reset() }
    }

    static func defaultFolder(_ environment: [String: String]) throws(LocalServerError) -> String {
        if let folder = environment["KNOT_DEV_DB"], !folder.isEmpty { return folder }
        if geteuid() == 0, environment["XDG_DATA_HOME"]?.hasPrefix("/") != true {
            return "/var/lib/knot-recommend/dev-db"
        }
        if let own = UserFolder.data.path(of: "knot-recommend", environment) { return own + "/dev-db" }
        throw LocalServerError(.notPermitted, "HOME is not set", todo: "name a folder with KNOT_DEV_DB")
    }

    private func onOwnThread<Value: Sendable>(
        _ work: @escaping @Sendable (LocalServer) throws(LocalServerError) -> Value
    ) async throws(LocalServerError) -> Value {
        let server = server
        let result: Result<Value, LocalServerError> = await withCheckedContinuation { continuation in
            // Resumed once: by the thread, or here when the system has none left.
            let started = OwnThread.start {
                do throws(LocalServerError) {
                    continuation.resume(returning: .success(try work(server)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if !started {
                let error = LocalServerError(.inputOutput, "the system has no thread left", todo: "try again")
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }
}

/// Who a server of ours runs as: ourselves, or an unprivileged account when we are root, which PostgreSQL refuses.
struct ServerAccount: Sendable, Equatable {
    let name: String
    /// Nil when the server runs as we do.
    let user: uid_t?
    let group: gid_t?

    /// Ourselves, or as root `postgres` where there is one and `nobody` otherwise.
    static func current() throws(LocalServerError) -> ServerAccount {
        guard geteuid() == 0 else { return ServerAccount(name: "you", user: nil, group: nil) }
        for name in ["postgres", "nobody"] {
            var record = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>?
            var strings = [CChar](repeating: 0, count: 1 << 14)
            // The record's strings live in the buffer; only the two numbers are taken out.
            let result = unsafe getpwnam_r(name, &record, &strings, strings.count, &found)
            guard result == 0, unsafe found != nil else { continue }
            let (user, group) = unsafe (record.pw_uid, record.pw_gid)
            if user != 0 { return ServerAccount(name: name, user: user, group: group) }
        }
        throw LocalServerError(
            .notPermitted,
            "there is neither an account postgres nor an account nobody to run a server as",
            todo: "run this as an ordinary user"
        )
    }

    /// What stands before a command for it to run as this account.
    func prefix() throws(LocalServerError) -> [String] {
        guard let user, let group else { return [] }
        for tool in ["/usr/bin/setpriv", "/bin/setpriv"] where unsafe access(tool, X_OK) == 0 {
            return [tool, "--reuid=\(user)", "--regid=\(group)", "--clear-groups", "--"]
        }
        throw LocalServerError(
            .noServer,
            "a server does not run as root, and there is no setpriv to start it as \(name)",
            todo: "install util-linux or run this as an ordinary user"
        )
    }

    /// The first folder on the way to a path, itself included, that this account may not enter.
    func obstacle(onTheWayTo path: String) -> String? {
        var folder: String? = path
        var obstacle: String?
        while let current = folder {
            if let entry = ServerFiles.entry(at: current, followingLinks: true), !canEnter(entry, at: current) {
                obstacle = current
            }
            folder = ServerFiles.parent(of: current)
        }
        return obstacle
    }

    private func canEnter(_ entry: ServerFiles.Entry, at path: String) -> Bool {
        guard let user, let group else { return unsafe access(path, X_OK) == 0 }
        if entry.owner == user { return entry.mode & 0o100 != 0 }
        if entry.group == group { return entry.mode & 0o010 != 0 }
        return entry.mode & 0o001 != 0
    }
}
