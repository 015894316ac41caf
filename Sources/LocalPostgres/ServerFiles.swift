import Glibc

/// The few operations on files that keeping a server's folder needs, with errors that name the path.
package enum ServerFiles {
    /// What stands at a path, seen without following a link at its end.
    struct Entry: Equatable {
        let mode: mode_t
        let owner: uid_t
        let group: gid_t
        let device: dev_t
        let node: ino_t

        var isFolder: Bool { mode & S_IFMT == S_IFDIR }
        var isFile: Bool { mode & S_IFMT == S_IFREG }

        init(_ status: stat) {
            mode = status.st_mode
            owner = status.st_uid
            group = status.st_gid
            device = status.st_dev
            node = status.st_ino
        }
    }

    /// Nil when there is nothing at the path or it cannot be looked at.
    static func entry(at path: String, followingLinks: Bool = false) -> Entry? {
        var status = stat()
        let result = unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
        return result == 0 ? Entry(status) : nil
    }

    /// The path without links and dots; nil when it does not exist.
    static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        // Allocated by the call above and copied before it is given back.
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Where a symbolic link points.
    static func linkTarget(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        // The call writes at most the buffer's own count and no terminator.
        let count = unsafe buffer.withUnsafeMutableBytes { bytes -> Int in
            guard let start = bytes.baseAddress else { return 0 }
            return unsafe readlink(path, start.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// The names in a folder, sorted; none when it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { _ = unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // The name is terminated, often shorter than its declared size, and belongs to the entry until the next read.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let start = unsafe UnsafeRawPointer(entry) + offset
            let name = unsafe String(cString: start.assumingMemoryBound(to: CChar.self))
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Makes the folder and those above it that are missing.
    static func makeFolder(_ path: String, mode: mode_t) throws(LocalServerError) {
        if entry(at: path, followingLinks: true)?.isFolder == true { return }
        if let parent = parent(of: path) { try makeFolder(parent, mode: 0o755) }
        // Whoever set a stricter mask did not think of the account that has to pass through.
        if unsafe mkdir(path, mode) == 0, unsafe chmod(path, mode) == 0 { return }
        let fault = errno
        // Somebody else was faster.
        if fault == EEXIST, entry(at: path, followingLinks: true)?.isFolder == true { return }
        throw failure(fault, "cannot make the folder \(path)")
    }

    static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/"), path != "/" else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The first bytes of a file as text; nil when it cannot be read.
    static func read(_ path: String, limit: Int = 1 << 16) -> String? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < limit {
            // The call writes at most the buffer's own count.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        return String(decoding: bytes.prefix(limit), as: UTF8.self)
    }

    /// Writes a file anew; a link at the path is refused.
    static func write(_ text: String, to path: String, mode: mode_t) throws(LocalServerError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw failure(errno, "cannot write \(path)") }
        defer { _ = close(descriptor) }
        let bytes = Array(text.utf8)
        var done = 0
        while done < bytes.count {
            // Reads only within the array, from what has not been written yet.
            let count = unsafe bytes[done...].withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(errno, "cannot write \(path)") }
            done += count
        }
    }

    static func give(_ path: String, to account: ServerAccount) throws(LocalServerError) {
        guard let user = account.user, let group = account.group else { return }
        guard unsafe lchown(path, user, group) == 0 else {
            throw failure(errno, "cannot give \(path) to \(account.name)")
        }
    }

    static func move(_ path: String, to target: String) throws(LocalServerError) {
        guard unsafe rename(path, target) == 0 else { throw failure(errno, "cannot rename \(path) to \(target)") }
    }

    /// Deletes a whole folder by the tool that stays safe beside whoever still changes it, and on its disk.
    static func removeTree(_ path: String) throws(LocalServerError) {
        guard entry(at: path) != nil else { return }
        let result = try ChildProcess.run(["/bin/rm", "-rf", "--one-file-system", "--", path])
        guard result.status == 0 else {
            throw LocalServerError(.inputOutput, "cannot delete \(path): \(result.lastLine)", todo: "delete it by hand")
        }
    }

    static func failure(_ fault: Int32, _ what: String) -> LocalServerError {
        let reason = unsafe String(cString: strerror(fault))
        switch fault {
        case EACCES, EPERM, EROFS:
            return LocalServerError(.notPermitted, "\(what): \(reason)", todo: "choose another folder or its owner")
        case ENOSPC, EDQUOT:
            return LocalServerError(.diskFull, "\(what): \(reason)", todo: "free some space")
        case ENAMETOOLONG:
            return LocalServerError(.pathTooLong, "\(what): \(reason)", todo: "choose a shorter folder")
        default:
            return LocalServerError(.inputOutput, "\(what): \(reason)", todo: "check the disk")
        }
    }
}
