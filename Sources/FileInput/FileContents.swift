import Glibc
import Synchronization

/// Reads whole files: regular ones, pipes, and standard input under the name `-`.
package enum FileContents {
    /// The largest file that is read: far above any vault, far below the machine's memory.
    package static let sizeLimit = 256 << 20

    /// What is named in place of a file that standard input stands for.
    package static let standardInput = "-"

    /// What came out of pipes and standard input, which give it once: whoever reads them again gets the same.
    private static let once = Mutex<[Source: [UInt8]]>([:])

    private enum Source: Hashable {
        case standardInput
        case pipe(device: UInt, inode: UInt)
    }

    /// Whether a path means standard input.
    package static func isStandardInput(_ path: String) -> Bool {
        [standardInput, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(path)
    }

    /// All bytes of a file.
    package static func read(_ path: String, limit: Int = sizeLimit) throws(FileFault) -> [UInt8] {
        let source = source(of: path)
        if let source, let known = once.withLock({ $0[source] }) { return known }
        let bytes: [UInt8]
        if source == .standardInput {
            // Read as it is: opening it again is refused where it is a socket or another user's terminal.
            bytes = try read(0, limit: limit)
        } else {
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .last }
            defer { _ = close(descriptor) }
            bytes = try read(descriptor, limit: limit)
        }
        if let source { once.withLock { $0[source] = bytes } }
        return bytes
    }

    /// Says what is the matter with a path, without opening it: a pipe that is opened and left loses what it would give.
    package static func look(at path: String, takesFolders: Bool) throws(FileFault) {
        guard !isStandardInput(path) else { return }
        var status = stat()
        // The structure is alive for the call, which fills it.
        guard unsafe stat(path, &status) == 0 else { throw .last }
        guard takesFolders || status.st_mode & S_IFMT != S_IFDIR else { throw .folder }
        guard unsafe faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else { throw .last }
    }

    /// Nil for what can be read as often as one likes.
    private static func source(of path: String) -> Source? {
        if isStandardInput(path) { return .standardInput }
        var status = stat()
        // The structure is alive for the call, which fills it.
        guard unsafe stat(path, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return nil }
        return .pipe(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    }

    private static func read(_ descriptor: Int32, limit: Int) throws(FileFault) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try piece(of: descriptor)
            if piece.isEmpty { return bytes }
            bytes += piece
            guard bytes.count <= limit else { throw FileFault(.tooLarge, "it is larger than \(size(limit))") }
        }
    }

    private static func size(_ bytes: Int) -> String {
        if bytes >= 1 << 20 { return "\(bytes >> 20) MiB" }
        return bytes >= 1 << 10 ? "\(bytes >> 10) KiB" : "\(bytes) bytes"
    }

    /// What can be read next; nothing at the end.
    static func piece(of descriptor: Int32) throws(FileFault) -> [UInt8] {
        let size = 1 << 16
        while true {
            var count = 0
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
                // The call writes at most the buffer's own size.
                count = unsafe Glibc.read(descriptor, buffer.baseAddress, size)
                filled = max(0, count)
            }
            if count >= 0 { return piece }
            guard errno == EINTR || errno == EAGAIN else { throw .last }
            if errno == EAGAIN { waitUntilReadable(descriptor) }
        }
    }

    private static func waitUntilReadable(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // One entry, alive for the call; a failure only means another turn of the loop.
        _ = unsafe poll(&entry, 1, 1_000)
    }
}

/// The names in a folder, sorted.
package struct FolderContents: Sendable {
    package let names: [String]
    /// Names that are not UTF-8, their odd bytes written as `\xE9`: no text can hold them, and so no file is opened by them.
    package let unspeakable: [String]

    package init(of folder: String) throws(FileFault) {
        guard let stream = unsafe opendir(folder) else { throw .last }
        defer { _ = unsafe closedir(stream) }
        var names: [String] = []
        var unspeakable: [String] = []
        // An entry is valid until the next call, and its name is copied at once.
        while let entry = unsafe readdir(stream) {
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            if let name = String(validating: bytes, as: UTF8.self) {
                if name != ".", name != ".." { names.append(name) }
            } else {
                unspeakable.append(OddText.written(bytes))
            }
        }
        self.names = names.sorted()
        self.unspeakable = unspeakable.sorted()
    }

    /// How many names in a folder do not begin with a dot.
    package static func countOfShown(in folder: String) throws(FileFault) -> Int {
        guard let stream = unsafe opendir(folder) else { throw .last }
        defer { _ = unsafe closedir(stream) }
        var count = 0
        // An entry is valid until the next call.
        while let entry = unsafe readdir(stream) {
            if unsafe entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
        }
        return count
    }
}

/// Bytes that are no text, written so that somebody can tell which they are.
package enum OddText {
    /// ASCII as it is, everything else as `\xE9`.
    package static func written(_ bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { text, byte in
            if (0x20..<0x7F).contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "\\x" + (digits.count == 1 ? "0" : "") + digits
            }
        }
    }
}

/// Why a file or a folder cannot be read.
package struct FileFault: Error, Sendable, Equatable {
    package enum Code: Sendable {
        case missing
        /// A folder where a file is needed.
        case folder
        case notPermitted
        case tooLarge
        /// The system's own reason.
        case failed
    }

    package let code: Code
    /// What is the matter, as it stands in a sentence about the file.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static let folder = FileFault(.folder, "it is a folder, not a file")

    /// What the number says that the call just before left behind.
    static var last: FileFault {
        let number = errno
        return switch number {
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP: FileFault(.missing, "there is no such file")
        case EACCES, EPERM: FileFault(.notPermitted, "it may not be read")
        case EISDIR: .folder
        default: FileFault(.failed, "it cannot be read: \(text(of: number))")
        }
    }

    private static func text(of number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        let capacity = buffer.count
        // The buffer outlives the call, which writes at most its capacity with a closing zero.
        let failed = unsafe buffer.withUnsafeMutableBufferPointer { target -> Int32 in
            guard let start = target.baseAddress else { return -1 }
            return unsafe strerror_r(number, start, capacity)
        }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return failed == 0 ? String(decoding: bytes, as: UTF8.self).lowercased() : "error \(number)"
    }
}

/// A folder of the person's own, as the XDG base directories say.
package enum UserFolder: String, Sendable {
    case cache = "XDG_CACHE_HOME"
    case config = "XDG_CONFIG_HOME"
    case data = "XDG_DATA_HOME"
    case state = "XDG_STATE_HOME"

    /// A program's part of it; nil without a home.
    ///
    /// Relative folders count as not set, as the specification wants it.
    package func path(of program: String, _ environment: [String: String]) -> String? {
        if let folder = environment[rawValue], folder.hasPrefix("/") { return "\(folder)/\(program)" }
        return environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/\(belowHome)/\(program)" : nil }
    }

    private var belowHome: String {
        switch self {
        case .cache: ".cache"
        case .config: ".config"
        case .data: ".local/share"
        case .state: ".local/state"
        }
    }

    /// Returns the folders in which to look for a program's cache: the one that a variable names, the user's own, the
    /// machine's.
    package static func caches(
        of program: String,
        named variable: String,
        _ environment: [String: String],
        ofMachine machine: String = "/var/cache"
    ) -> [String] {
        let named = environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        return [named, cache.path(of: program, environment), "\(machine)/\(program)"].compactMap(\.self)
    }
}
