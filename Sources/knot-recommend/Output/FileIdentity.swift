import FileInput
import Glibc

/// Which file a path means, however it is written: two paths with one identity are one file.
enum FileIdentity: Hashable, Sendable {
    /// A file that is there: hard links and symbolic links lead to the same one.
    case present(device: UInt, inode: UInt)
    /// A file that is not there yet: its folder and its name in it.
    case absent(device: UInt, inode: UInt, name: String)
    case standardInput
    case standardOutput

    /// Nil for what everybody may share, such as `/dev/null`, and for what is in no folder.
    init?(_ path: String) {
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
    init?(descriptor: Int32) {
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
