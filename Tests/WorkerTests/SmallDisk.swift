import Foundation
import Glibc
import Synchronization
import TestSupport

/// A file system in memory that is full soon.
struct SmallDisk {
    static let absence = "only root may mount a file system, and not in every container"

    /// Whether this process may mount one: tried once.
    static let mayMount: Bool = {
        let path = NSTemporaryDirectory() + "knot-mount-\(UUID().uuidString)"
        guard unsafe mkdir(path, 0o700) == 0 else { return false }
        defer { unsafe rmdir(path) }
        guard run("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", path]) else { return false }
        return run("umount", [path])
    }()

    let path: String
    private var ballast: String { path + "/.ballast" }

    /// Runs the body with a disk of so many megabytes that belongs to an account; it is gone afterwards.
    static func with(megabytes: Int, owner: Int, _ body: (SmallDisk) async throws -> Void) async throws {
        // Servers that run as somebody else must come by.
        let path = "/var/tmp/knot-disk-\(UUID().uuidString)"
        guard unsafe mkdir(path, 0o755) == 0 else { throw DatabaseTestError("cannot make \(path)") }
        guard run("mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m,uid=\(owner),mode=0700", "tmpfs", path]) else {
            unsafe rmdir(path)
            throw DatabaseTestError("cannot mount at \(path)")
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body(SmallDisk(path: path))) } catch { result = .failure(error) }
        _ = run("umount", ["-l", path])
        unsafe rmdir(path)
        try result.get()
    }

    /// Takes all room but for so many bytes.
    func fill(leaving left: Int) throws {
        let descriptor = unsafe open(ballast, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DatabaseTestError("cannot write to \(path)") }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 4_096)
        var size = 0
        while unsafe block.withUnsafeBytes({ unsafe write(descriptor, $0.baseAddress, $0.count) }) == block.count {
            size += block.count
        }
        guard left == 0 || ftruncate(descriptor, max(0, size - left)) == 0 else {
            throw DatabaseTestError("cannot free room on \(path)")
        }
    }

    /// Gives the room back.
    func empty() throws { try FileManager.default.removeItem(atPath: ballast) }

    /// What lies there besides.
    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".ballast") }
    }

    private static func run(_ program: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

/// Raised once.
final class Flag: Sendable {
    private let state = Mutex(false)

    /// True for the first who raises it.
    func raise() -> Bool {
        state.withLock { isUp in
            defer { isUp = true }
            return !isUp
        }
    }
}

/// A process's own wrong time of day; what it measures time with stays right, as on a machine whose clock was set.
///
/// A clock that jumps while the process runs is left out: the library has the clock jump too that nobody can set.
enum FalseClock: String, CaseIterable {
    case minutesBehind = "-10m"
    case minutesAhead = "+45m"
    case aDayAhead = "+1d"
    case daysBehind = "-3d"

    static let absence = "set-up installs libfaketime: .ci/setup tests"
    private static let library = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/faketime/libfaketimeMT.so.1" }
        .first { FileManager.default.fileExists(atPath: $0) }
    static var isHere: Bool { library != nil }

    /// What a process is started with that has this clock.
    var environment: [String: String] {
        [
            "LD_PRELOAD": Self.library ?? "", "FAKETIME": rawValue, "DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        ]
    }
}
