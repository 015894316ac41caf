import Console
import Foundation
import JSONDocument
import LoopbackServer
import ProviderSimulator
import TestSupport
import Testing

/// Spans of runs that ask services: under each node the calls that it made, and nothing that was asked or answered.
@Suite("Spans of a live run", .onOwnThreads, .serialized)
struct LiveSpansTests {
    private func spans(
        of words: [String] = [],
        _ simulator: ProviderSimulator
    ) async throws -> (file: URL, text: String, outcome: LiveCommand.Outcome) {
        let folder = try ScratchFolder()
        let file = URL(fileURLWithPath: folder.path + "/spans")
        let outcome = try await LiveCommand.run(
            LiveCommand.patientWords + ["--json", "--spans", file.path] + words,
            simulator.environment
        )
        let kept = FileManager.default.temporaryDirectory.appendingPathComponent("spans-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: file, to: kept)
        withExtendedLifetime(folder) {}
        return (kept, try String(contentsOf: kept, encoding: .utf8), outcome)
    }

    private func members(_ text: String) throws -> [JSONValue] {
        try text.split(separator: "\n").flatMap { line in
            try JSONParser.parse(Array(line.utf8))["resourceSpans"]?.array?.flatMap { resource in
                resource["scopeSpans"]?.array?.flatMap { $0["spans"]?.array ?? [] } ?? []
            } ?? []
        }
    }

    private func value(_ span: JSONValue, _ name: String) -> JSONValue? {
        span["attributes"]?.array?.first { $0["key"]?.string == name }?["value"]
    }

    @Test func `each provider's calls lie below its node, in one trace`() async throws {
        let simulator = try LiveCommand.simulator()
        defer { simulator.stop() }
        let run = try await spans(simulator)
        defer { try? FileManager.default.removeItem(at: run.file) }
        #expect(run.outcome.code == .done || run.outcome.code == .short, "\(run.outcome.errors)")
        let spans = try members(run.text)
        #expect(Set(spans.compactMap { $0["traceId"]?.string }).count == 1)
        let byID = Dictionary(spans.map { ($0["spanId"]?.string ?? "", $0) }) { first, _ in first }
        #expect(byID.count == spans.count)
        let calls = spans.filter { value($0, "http.response.status_code") != nil }
        #expect(calls.count == simulator.requests.count && !calls.isEmpty)
        for call in calls {
            let parent = try #require(byID[call["parentSpanId"]?.string ?? ""])
            let provider = value(call, "knot.provider")?["stringValue"]?.string
            #expect(parent["name"]?.string == provider)
            #expect(call["kind"]?.int == 3)
        }
        #expect(Set(calls.compactMap { value($0, "knot.provider")?["stringValue"]?.string }).count >= 4)
        // Two clocks that are read one after another differ by what a busy machine does in between.
        for span in spans {
            guard let parent = byID[span["parentSpanId"]?.string ?? ""],
                let start = span["startTimeUnixNano"]?.string.flatMap({ UInt64($0) }),
                let begin = parent["startTimeUnixNano"]?.string.flatMap({ UInt64($0) })
            else { continue }
            #expect(start + 30_000_000_000 >= begin, "\(span["name"]?.string ?? "")")
        }
    }

    @Test func `a call that fails says so by its status and nothing more`() async throws {
        let simulator = try LiveCommand.simulator { request, usual in
            request.path.contains("businesses") ? .json("{\"error\":\"private words\"}", status: 503) : usual
        }
        defer { simulator.stop() }
        let run = try await spans(simulator)
        defer { try? FileManager.default.removeItem(at: run.file) }
        let failed = try members(run.text).filter { value($0, "http.response.status_code")?["intValue"] == "503" }
        #expect(!failed.isEmpty)
        for span in failed { #expect(span["status"] == ["code": 2, "message": "503"]) }
        #expect(!run.text.contains("private words"))
    }

    @Test func `no key, no phrase that was asked and no text of an answer is in them`() async throws {
        let simulator = try LiveCommand.simulator(servesPages: true)
        defer { simulator.stop() }
        let run = try await spans(simulator)
        defer { try? FileManager.default.removeItem(at: run.file) }
        PlantedSecret.expectAbsent(from: run.text, of: "the file of spans")
        let asked = simulator.requests.flatMap { $0.query.map(\.value) }.filter { $0.count > 8 && $0.contains(" ") }
        #expect(!asked.isEmpty)
        for words in asked { #expect(!run.text.contains(words), "spans show \(words)") }
        let fixture = try JSONParser.parse([UInt8](Data(contentsOf: URL(fileURLWithPath: LiveCommand.fixture))))
        let hints = (fixture["hints"]?.array ?? fixture["vault"]?["hints"]?.array ?? [])
            .compactMap { $0["text"]?.string ?? $0["hint_text"]?.string }
        #expect(!hints.isEmpty)
        for hint in hints { #expect(!run.text.contains(hint)) }
        if let title = try JSONParser.parse(Array(run.outcome.output.utf8))["choices"]?.array?.first?["title"]?.string {
            #expect(!run.text.contains(title))
        }
    }

    @Test func `a collector off this machine has to be asked by TLS, and one that hangs keeps no call for long`()
        async throws
    {
        let words = LiveCommand.words.filter { $0 != "--live" } + ["--json", "--spans"]
        let open = try await LiveCommand.run(words + ["http://collector.example"], [:])
        #expect(open.code == .configuration && open.all.contains("--spans"), "\(open.all.prefix(500))")
        let collector = try LoopbackServer { _ in LoopbackReply([.hang]) }
        defer { collector.stop() }
        let hung = try await LiveCommand.run(words + [collector.url], [:])
        #expect(hung.code == .done && hung.errors.contains("lost"), "\(hung.all.suffix(500))")
    }
}
