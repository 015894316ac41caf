import Foundation
import TestSupport
import Testing

@testable import LocalPostgres

/// A folder of one test for servers that are looked at from outside; deleted, servers included, at the end.
struct ServerPlayground {
    let root: String

    /// The folder the test's server lives in; it does not exist yet.
    var folder: String { root + "/server" }

    static func with<Value: Sendable>(_ body: (ServerPlayground) async throws -> Value) async throws -> Value {
        let root = try TestServerFolder("play").path
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
        let playground = ServerPlayground(root: root)
        let result: Result<Value, any Error>
        do { result = .success(try await body(playground)) } catch { result = .failure(error) }
        try await playground.clear()
        return try result.get()
    }

    /// A server that forgets on a power cut, as all tests' do.
    func server(
        _ folder: String? = nil,
        version: ServerVersion = .eighteen,
        extra: [String: String] = [:],
        patience: Duration = LastResort.limit
    ) throws -> LocalServer {
        let programs = try #require(version.installation, "run `make setup`").programs
        return try LocalServer(
            folder: folder ?? self.folder,
            search: ServerSearch(folders: [programs], oldest: version.rawValue, needsVector: false),
            settings: ServerSettings(isDurable: false, extra: extra),
            patience: patience
        )
    }

    /// Ends a process without a warning and waits for its end.
    func kill(_ pid: Int32) async throws {
        try await onThread {
            _ = Foundation.kill(pid, SIGKILL)
            #expect(ProcessTable.wait(LastResort.limit) { !ProcessTable.isRunning(pid) })
        }
    }

    func write(_ text: String, to name: String) throws {
        let path = root + "/" + name
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    /// Writes a program from a process of its own: one that this process had open for writing, perhaps inherited for a
    /// moment by another test's child, would be refused as busy.
    func writeProgram(_ text: String, to name: String) async throws {
        let path = root + "/" + name
        let result = try await onThread {
            let script = #"mkdir -p "$(dirname "$2")" && printf '%s' "$1" >"$2" && chmod 755 "$2""#
            return try ChildProcess.run(["/bin/sh", "-c", script, "sh", text, path])
        }
        try #require(result.status == 0, "\(result.output)")
    }

    private func clear() async throws {
        let folder = folder
        let root = root
        try await onThread {
            // A test may have spoilt its folder on purpose: what runs in it is ended all the same.
            for pid in ProcessTable.processes(in: folder + "/data") { Foundation.kill(pid, SIGQUIT) }
            _ = ProcessTable.wait(LastResort.limit) { ProcessTable.processes(in: folder + "/data").isEmpty }
            try ServerFiles.removeTree(ServerFolder(path: folder).socketFolder)
            try ServerFiles.removeTree(root)
        }
    }
}
