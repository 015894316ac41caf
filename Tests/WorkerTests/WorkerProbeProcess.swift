import Foundation
import TestSupport
import Testing

/// A worker in a process of its own.
struct WorkerProbeProcess {
    private let process = Process()
    private let output = Pipe()

    /// Beside the test bundle.
    private static let binary: URL? = {
        let folders = [
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
            URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent(),
            Repository.root.appendingPathComponent(".build/debug"),
        ]
        return folders.map { $0.appendingPathComponent("knot-worker-probe") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    /// Starts one at once, by way of a pooler where that is wanted.
    static func start(
        _ database: TestDatabase,
        _ outbox: URL,
        point: String,
        lease: Int? = nil,
        environment: [String: String] = [:]
    ) async throws -> WorkerProbeProcess {
        let url = try await Pooler.diverted(database.url(user: "knot_worker"))
        return try WorkerProbeProcess(url, outbox, point: point, lease: lease, environment)
    }

    private init(
        _ url: String,
        _ outbox: URL,
        point: String,
        lease: Int?,
        _ environment: [String: String]
    ) throws {
        guard let binary = Self.binary else { throw DatabaseTestError("knot-worker-probe is not built") }
        let words = [url, outbox.path, point] + (lease.map { [String($0)] } ?? [])
        // What is loaded into it may add variables, which must not be while Swift looks for the arguments: env comes before.
        process.executableURL = environment.isEmpty ? binary : URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = environment.isEmpty ? words : [binary.path] + words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for its end.
    func ending() async -> (isKilled: Bool, code: Int32, output: String) {
        let output = output
        let text = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let bytes = output.fileHandleForReading.readDataToEndOfFile()
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
        process.waitUntilExit()
        let isKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
        return (isKilled, process.terminationStatus, text.split(separator: "\n").joined(separator: " "))
    }
}
