import Arguments
import Console
import Foundation
import JSONDocument
import LoopbackServer
import ProviderSimulator
import TestSupport
import Testing

@testable import Composition

/// What becomes of a run whose files cannot be written.
@Suite("A file that cannot be written", .onOwnThreads, .serialized)
struct WrittenPlacesTests {
    private static let flags = ["--record", "--trace", "--record-traffic"]

    @Test(arguments: flags) func `is named before anything is sent`(flag: String) async throws {
        let simulator = try LiveCommand.simulator()
        defer { simulator.stop() }
        let folder = try ScratchFolder()
        try Data().write(to: URL(filePath: folder.file("file")))
        for path in [folder.path, folder.file("none/x"), folder.file("file/x")] {
            let outcome = try await LiveCommand.run(LiveCommand.patientWords + [flag, path], simulator.environment)
            #expect(outcome.code == .inputOutput && outcome.errors.contains(path), "\(outcome.all)")
        }
        #expect(simulator.requests.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    /// The calls are spent: what they brought must not be lost with the file.
    @Test(arguments: flags) func `takes nothing from the result where that shows only at the end`(
        flag: String
    ) async throws {
        let simulator = try LiveCommand.simulator()
        defer { simulator.stop() }
        let words = LiveCommand.patientWords + ["--json", flag, "/dev/full"]
        let outcome = try await LiveCommand.run(words, simulator.environment)
        #expect(outcome.code == .inputOutput && outcome.errors.contains("/dev/full"), "\(outcome.errors)")
        // One document, and not an error behind it.
        let set = try JSONParser.parse(outcome.output)
        #expect(set["schema"]?.string == "knot.choice/1" && set["choices"]?.array?.count == 3)
    }

    @Test func `does not take the place of why the run failed`() async throws {
        let simulator = try LiveCommand.simulator { _, _ in .html("<html>Sorry</html>", status: 503) }
        defer { simulator.stop() }
        let words = LiveCommand.patientWords + ["--record-traffic", "/dev/full"]
        let outcome = try await LiveCommand.run(words, simulator.environment)
        #expect(outcome.code == .unavailable && outcome.errors.contains("/dev/full"), "\(outcome.all)")
    }
}
