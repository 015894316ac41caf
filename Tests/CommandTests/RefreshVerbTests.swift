import Console
import Foundation
import JSONDocument
import TestSupport
import Testing

/// The result that `refresh --from` begins with, which anybody may have edited.
@Suite("A result that is refreshed", .onOwnThreads, .serialized)
struct RefreshVerbTests {
    private func refreshed(
        _ edit: (inout [JSONObject]) -> Void
    ) async throws -> LiveCommand.Outcome {
        let folder = try ScratchFolder()
        let words = ["run", "--fixture", LiveCommand.fixture, "--model", "none", "--json"]
        var result = try #require(try JSONParser.parse(try await LiveCommand.run(words, [:]).output).object)
        var choices = (result["choices"]?.array ?? []).compactMap(\.object)
        try #require(choices.count == 3)
        edit(&choices)
        result["choices"] = .array(choices.map { .object($0) })
        let path = folder.file("result.json")
        try Data(JSONWriter.bytes(.object(result))).write(to: URL(filePath: path))
        return try await LiveCommand.run(
            [
                "refresh", "--from", path, "--fixture", LiveCommand.fixture, "--reason", "too_cheap", "--reject", "1",
                "--model", "none",
            ],
            [:]
        )
    }

    @Test func `is taken as it was printed`() async throws {
        let outcome = try await refreshed { _ in }
        #expect([.done, .short].contains(outcome.code), "\(outcome.all)")
    }

    @Test func `is refused where two choices are at one position or are one candidate`() async throws {
        for name in ["position", "candidate_id"] {
            let outcome = try await refreshed { $0[1][name] = $0[0][name] }
            #expect(outcome.code == .badInput && outcome.errors.contains("two choices are"), "\(name): \(outcome.all)")
        }
    }
}
