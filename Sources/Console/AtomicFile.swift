import Digest
import Glibc
import Synchronization

/// Writes a file so that its name always means either the old contents or the whole new ones.
///
/// Whatever is written holds what somebody said in private, so it is its owner's alone, even where the file was open to others.
package enum AtomicFile {
    /// Writes beside the file, flushes to the disk, then renames.
    ///
    /// A device or pipe is written straight through.
    package static func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
        // Whether that is free was looked at before anything was opened.
        if path == "-" { return try StandardStream.output.write(bytes) }
        guard let target = try target(of: path) else { return try writeThrough(bytes, to: path) }
        try replace(target, with: bytes)
    }

    /// Throws where the file could not be written now; nothing is, and whatever has the name stays as it is.
    package static func look(at path: String) throws(CommandError) {
        if path == "-" { return }
        let target = try target(of: path)
        let (place, mode) = target.map { (split($0).folder, W_OK | X_OK) } ?? (path, W_OK)
        guard unsafe access(place, mode) == 0 else { throw failure(SystemFault.last.message, path) }
    }

    /// The file that is replaced; nil for a device or a pipe.
    private static func target(of path: String) throws(CommandError) -> String? {
        guard let status = FileStatus(path: path) else { return path }
        guard status.kind != .folder else { throw failure("a folder has this name", path, todo: "name a file") }
        // A link keeps pointing where it points: the file behind it is the one that changes.
        return status.kind == .regular ? FileStatus.resolved(path) ?? path : nil
    }

    private static func replace(_ path: String, with bytes: [UInt8]) throws(CommandError) {
        let (folder, name) = split(path)
        let temporary = "\(folder)/.\(beginning(of: name)).\(SHA256Digest(of: RandomBytes.make(16)).hex.prefix(12)).tmp"
        guard let made = TemporaryFiles.shared.make(temporary) else {
            throw failure("the command is being stopped", path)
        }
        defer { TemporaryFiles.shared.remove(temporary) }
        let descriptor: Int32
        switch made {
        case .success(let number): descriptor = number
        case .failure(let fault): throw failure(fault.message, path)
        }
        var fault = StandardStream.writeAll(bytes, to: descriptor)
        if fault == nil, fsync(descriptor) != 0 { fault = SystemFault.last }
        if close(descriptor) != 0, fault == nil { fault = SystemFault.last }
        if fault == nil, unsafe rename(temporary, path) != 0 { fault = SystemFault.last }
        if let fault {
            _ = unsafe unlink(temporary)
            throw failure(fault.message, path)
        }
        flushFolder(folder)
    }

    /// So much of a name that what is put behind it makes none that is too long: names are counted in bytes.
    private static func beginning(of name: String) -> String {
        var kept = String.UnicodeScalarView()
        var bytes = 0
        for scalar in name.unicodeScalars {
            bytes += Unicode.UTF8.width(scalar)
            if bytes > 100 { break }
            kept.append(scalar)
        }
        return String(kept)
    }

    /// What writers of this file have left beside it that were stopped before they renamed it.
    package static func remains(of path: String) -> [String] {
        let (folder, name) = split(path)
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        let head = ".\(beginning(of: name))."
        var found: [String] = []
        while let entry = unsafe readdir(stream) {
            // The name ends with a zero inside of the entry.
            let other = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard other.hasPrefix(head), other.hasSuffix(".tmp") else { continue }
            let middle = other.dropFirst(head.count).dropLast(4)
            if middle.count == 12, middle.allSatisfy(\.isHexDigit) { found.append("\(folder)/\(other)") }
        }
        return found.sorted()
    }

    /// The rename itself must survive a crash; a folder that cannot be flushed has it anyway, only later.
    private static func flushFolder(_ folder: String) {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }

    private static func writeThrough(_ bytes: [UInt8], to path: String) throws(CommandError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(SystemFault.last.message, path) }
        let fault = StandardStream.writeAll(bytes, to: descriptor)
        _ = close(descriptor)
        if let fault {
            if fault.number == EPIPE { throw .readerLeft }
            throw failure(fault.message, path)
        }
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    private static func failure(
        _ reason: String,
        _ path: String,
        todo: String = "check the folder, its permissions and the free space"
    ) -> CommandError {
        CommandError(.inputOutput, "cannot write the file: \(reason)", at: path, todo: todo)
    }
}

/// The half-written files of this process, so that a signal can remove them.
final class TemporaryFiles: Sendable {
    private struct State {
        var paths: Set<String> = []
        var isSealed = false
    }

    private let state = Mutex(State())

    /// Those of the whole process: the signal thread and every writer must mean the same ones.
    static let shared = TemporaryFiles()

    /// Makes a file and notes it; nil once the process is ending and no new file may appear.
    ///
    /// Both are one step: a file that was only noted would appear after the others were removed.
    func make(_ path: String) -> Result<Int32, SystemFault>? {
        state.withLock { state in
            guard !state.isSealed else { return nil }
            let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return .failure(.last) }
            state.paths.insert(path)
            return .success(descriptor)
        }
    }

    /// Forgets a file that has been renamed or removed.
    func remove(_ path: String) {
        state.withLock { _ = $0.paths.remove(path) }
    }

    /// Removes all files and lets no new one be made.
    func removeAll() {
        let paths = state.withLock { state in
            state.isSealed = true
            return state.paths
        }
        for path in paths { _ = unsafe unlink(path) }
    }
}

/// The text of an `errno`, as the system words it.
package struct SystemFault: Error, Equatable {
    package let number: Int32

    /// Takes the number that the call just before left behind.
    package static var last: SystemFault { SystemFault(number: errno) }

    package var isInterruption: Bool { number == EINTR }

    package var message: String {
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
