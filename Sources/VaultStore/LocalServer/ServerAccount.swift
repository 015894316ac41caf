import Glibc

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
