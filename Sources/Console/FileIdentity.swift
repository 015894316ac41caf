import FileInput
import Glibc

/// Which file a path means, however it is written: two paths with one identity are one file.
package enum FileIdentity: Hashable, Sendable {
    /// A file that is there: hard links and symbolic links lead to the same one.
    case present(device: UInt, inode: UInt)
    /// A file that is not there yet: its folder and its name in it.
    case absent(device: UInt, inode: UInt, name: String)
    case standardInput
    case standardOutput

    /// Nil for what everybody may share, such as `/dev/null`, and for what is in no folder.
    package init?(_ path: String) {
        switch path {
        case _ where FileContents.isStandardInput(path): self = .standardInput
        case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1": self = .standardOutput
        default:
            var place = path
            // A link that leads nowhere yet is written through as soon as its target is there.
            for _ in 0..<40 {
                var status = stat()
                // The structure is alive for the call, which fills it.
                if unsafe stat(place, &status) == 0 {
                    guard let identity = Self.present(status) else { return nil }
                    self = identity
                    return
                }
                guard let target = Self.target(ofLink: place) else { break }
                place = target
            }
            let (folder, name) = Self.split(place)
            var status = stat()
            guard unsafe stat(folder, &status) == 0 else { return nil }
            self = .absent(device: UInt(status.st_dev), inode: UInt(status.st_ino), name: name)
        }
    }

    /// The file behind an open descriptor; nil for a terminal or a device.
    package init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, let identity = Self.present(status) else { return nil }
        self = identity
    }

    private static func present(_ status: stat) -> FileIdentity? {
        guard status.st_mode & S_IFMT != S_IFCHR else { return nil }
        return .present(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    }

    private static func target(ofLink path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let capacity = buffer.count
        // The call writes at most the buffer's own count.
        let count = unsafe buffer.withUnsafeMutableBufferPointer { target -> Int in
            guard let start = target.baseAddress else { return -1 }
            return unsafe readlink(path, start, capacity)
        }
        guard count > 0 else { return nil }
        let target = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return target.hasPrefix("/") ? target : split(path).folder + "/" + target
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }
}

/// What the system says about a path, links followed.
package struct FileStatus: Sendable {
    package enum Kind: Sendable {
        case regular
        case folder
        case other
    }

    package let kind: Kind
    package let permissions: UInt32
    package let size: Int

    /// Nil when there is nothing at the path that this user can see.
    package init?(path: String) {
        var status = stat()
        // The structure is alive for the call.
        guard unsafe stat(path, &status) == 0 else { return nil }
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            default: .other
            }
        permissions = UInt32(status.st_mode & 0o777)
        size = Int(status.st_size)
    }

    /// The path with its links followed; nil when it leads nowhere.
    package static func resolved(_ path: String) -> String? {
        guard let pointer = unsafe realpath(path, nil) else { return nil }
        // The system's own copy, freed here where it was made.
        defer { unsafe free(pointer) }
        return unsafe String(cString: pointer)
    }
}

/// Folders that a program keeps for itself: nobody but their owner enters them.
package enum PrivateFolder {
    /// Makes the folders above a file where they are missing; the last one is closed to others where it was open to them.
    package static func make(for path: String, of program: String) throws(CommandError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let last = String(path[..<slash])
        var folder = path.hasPrefix("/") ? "" : "."
        for part in last.split(separator: "/") {
            folder += "/" + part
            guard unsafe mkdir(folder, 0o700) != 0 else { continue }
            let fault = SystemFault.last
            // Some systems say of a folder that is there that it may not be made.
            guard fault.number == EEXIST || FileStatus(path: folder)?.kind == .folder else {
                throw CommandError(.inputOutput, fault.message, at: folder, todo: "check the folder above it")
            }
        }
        // Only the program's own folder: a home or a cache of many programs is not its to close.
        guard last.hasSuffix("/\(program)"), let status = FileStatus(path: last), status.permissions & 0o077 != 0
        else { return }
        _ = unsafe chmod(last, 0o700)
    }
}
