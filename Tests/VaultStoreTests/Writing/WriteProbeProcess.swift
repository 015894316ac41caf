import Foundation
import InventedSets
import JSONDocument
import KnotDomain
import Recommendation
import TestSupport

@testable import VaultStore

/// A writer in a process of its own.
struct WriteProbeProcess {
    private let process = Process()
    private let output = Pipe()

    /// Beside the test bundle.
    private static let binary: URL? = {
        let folders = [
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
            URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent(),
            URL(fileURLWithPath: StoredWorld.root).appendingPathComponent(".build/debug"),
        ]
        return folders.map { $0.appendingPathComponent("knot-write-probe") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    static func record(_ world: StoredWorld, request: String) throws -> SetRecord {
        try InventedSet.record(vault: world.brief.vault.id, request: request)
    }

    /// Starts at once; with a count, that many sets are stored together.
    init(_ world: StoredWorld, request: String, point: String, together count: Int? = nil) throws {
        guard let binary = Self.binary else { throw DatabaseTestError("knot-write-probe is not built") }
        process.executableURL = binary
        process.arguments =
            [
                world.database.url(user: "knot_worker"), world.brief.vault.id.text, request, point,
            ] + (count.map { [String($0)] } ?? [])
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    /// Waits for its end.
    func ending() async -> (isKilled: Bool, output: String) {
        let output = output
        let text = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let bytes = output.fileHandleForReading.readDataToEndOfFile()
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
        process.waitUntilExit()
        let isKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
        return (isKilled, text.split(separator: "\n").joined(separator: " "))
    }
}
