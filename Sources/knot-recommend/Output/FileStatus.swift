import Glibc

/// What the system says about a path, links followed.
struct FileStatus: Sendable {
    enum Kind: Sendable {
        case regular
        case folder
        case other
    }

    let kind: Kind
    let permissions: mode_t
    let size: Int

    /// Nil when there is nothing at the path that this user can see.
    init?(path: String) {
        var status = stat()
        // The structure is alive for the call.
        guard unsafe stat(path, &status) == 0 else { return nil }
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            default: .other
            }
        permissions = status.st_mode & 0o777
        size = Int(status.st_size)
    }

    /// The path with its links followed; nil when it leads nowhere.
    static func resolved(_ path: String) -> String? {
        guard let pointer = unsafe realpath(path, nil) else { return nil }
        // The system's own copy, freed here where it was made.
        defer { unsafe free(pointer) }
        return unsafe String(cString: pointer)
    }
}
