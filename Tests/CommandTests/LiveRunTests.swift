import Arguments
import Console
import Fixtures
import Foundation
import JSONDocument
import LoopbackServer
import ProviderSimulator
import Synchronization
import TestSupport
import Testing

@testable import Composition
@testable import knot_recommend

/// Tells the text that came first from all others.
private final class FirstText: Sendable {
    private let first = Mutex<String?>(nil)

    func isFirst(_ text: String) -> Bool {
        first.withLock { first in
            first = first ?? text
            return first == text
        }
    }
}

/// Runs that ask the five services over HTTP, as they are simulated on this machine.
@Suite("A live run", .onOwnThreads, .serialized)
struct LiveRunTests {
    private static let fixture = Repository.root.appending(path: "fixtures/vaults/dev-01.json").path

    private struct Outcome {
        let code: ExitCode
        let output: String
        let errors: String
        var all: String { output + errors }
    }

    private func run(_ words: [String], _ environment: [String: String]) async -> Outcome {
        let (output, errors) = (MemorySink(), MemorySink())
        // Calls are counted in a folder of this test's own.
        let state = try? ScratchFolder()
        let home = ["HOME": "/nonexistent", "XDG_STATE_HOME": state?.path ?? "/nonexistent"]
        let tool = CommandTool(
            environment: Environment(environment.merging(home) { own, _ in own }),
            output: output,
            diagnostics: errors,
            verbs: []
        )
        let code = await tool.run(words)
        withExtendedLifetime(state) {}
        return Outcome(code: code, output: output.text, errors: errors.text)
    }

    private func simulator(
        _ fault: @escaping ProviderSimulator.Fault = { _, usual in usual }
    ) throws -> ProviderSimulator {
        try ProviderSimulator(FixtureLoader().load(Self.fixture).fixture, fault: fault)
    }

    private let live = LiveCommand.patientWords

    @Test func `is refused where no service is set up, and says how one is`() async {
        let outcome = await run(live, [:])
        #expect(outcome.code == .configuration)
        #expect(outcome.errors.contains("no service is set up") && outcome.errors.contains("providers list"))
        let checked = await run(["providers", "check"], [:])
        #expect(checked.code == .configuration && !checked.errors.contains("--live"), "\(checked.all)")
    }

    @Test func `chooses three of what the services have, over HTTP`() async throws {
        let simulator = try simulator()
        defer { simulator.stop() }
        let outcome = await run(live + ["--json"], simulator.environment)
        let set = try JSONParser.parse(outcome.output)
        #expect(set["choices"]?.array?.count == 3)
        let asked = Set(simulator.requests.map { $0.path.split(separator: "/")[0] })
        #expect(asked == ["yelp", "ticketmaster", "amazon", "shopify", "firecrawl"])
        // What came over HTTP has the services' own ids, and not the fixture's.
        for choice in set["choices"]?.array ?? [] {
            let (id, provider) = (choice["candidate_id"]?.string ?? choice["id"]?.string, choice["provider"]?.string)
            #expect(id?.hasPrefix("\(provider ?? "?"):") == true, "\(choice)")
        }
    }

    @Test(arguments: ["yelp", "ticketmaster", "amazon", "shopify", "firecrawl"])
    func `gives a set without a service that is down, and names it`(down: String) async throws {
        let simulator = try simulator { request, usual in
            request.path.hasPrefix("/\(down)") ? .html("<html>Sorry</html>", status: 503) : usual
        }
        defer { simulator.stop() }
        let outcome = await run(live + ["--json"], simulator.environment)
        let set = try JSONParser.parse(outcome.output)
        #expect(set["choices"]?.array?.count == 3)
        let reasons = (set["reasons"]?.array ?? []).filter { $0["code"]?.string == "provider_failed" }
        #expect(reasons.contains { "\($0)".contains(down) }, "\(set["reasons"] ?? .null)")
    }

    @Test func `says in part where one of a service's calls fails, and names the service`() async throws {
        let first = FirstText()
        let simulator = try simulator { request, usual in
            // The same call fails however often it is sent.
            let isFirst = request.path == "/yelp/businesses/search" && first.isFirst(request.target)
            return isFirst ? .json(#"{"error":{"code":"VALIDATION_ERROR"}}"#, status: 400) : usual
        }
        defer { simulator.stop() }
        let set = try JSONParser.parse(await run(live + ["--json"], simulator.environment).output)
        #expect(set["choices"]?.array?.count == 3)
        let reasons = (set["reasons"]?.array ?? []).filter { $0["code"]?.string == "provider_partial" }
        #expect(reasons.count == 1 && reasons.contains { "\($0)".contains("yelp") }, "\(set["reasons"] ?? .null)")
    }

    @Test func `fails where every service is down`() async throws {
        let simulator = try simulator { _, _ in LoopbackReply([.close]) }
        defer { simulator.stop() }
        let outcome = await run(live, simulator.environment)
        #expect(outcome.code == .unavailable, "\(outcome.all)")
    }

    @Test func `says what it would ask, and sends nothing`() async throws {
        let simulator = try simulator()
        defer { simulator.stop() }
        let outcome = await run(live + ["--plan-only"], simulator.environment)
        #expect(outcome.code == .done, "\(outcome.all)")
        #expect(simulator.requests.isEmpty)
        for name in ["yelp", "ticketmaster", "amazon", "shopify", "firecrawl"] {
            #expect(outcome.output.contains("\n\(name)") || outcome.output.hasPrefix(name))
        }
        #expect(outcome.output.contains("nothing was sent"))
        // Nobody outside is told a name or a day.
        for word in ["Dot", "Calvin", "birthday", "sugar", "doctor"] {
            #expect(!outcome.output.contains(word), "\(word)")
        }
        let json = try JSONParser.parse(await run(live + ["--plan-only", "--json"], simulator.environment).output)
        #expect(json["schema"]?.string == "knot.asked/1" && (json["calls"]?.array?.count ?? 0) >= 5)
    }

    /// What a service may write into every text that it has.
    ///
    /// Escapes of a terminal in both forms, directions, a NUL, what no eye sees, line ends of other kinds, markup, a formula.
    private static let evil = #"""
        \u001b[31m\u009b2J\u001b]8;;https://evil.example\u0007\u202e\u2066\u0000\u200b\ufeff\u2028\u0085\r\u007f\#
        <script>alert(1)</script>=cmd|' /C calc'!A0 \#

        """#

    /// What no output may hold, whoever wrote it.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
        default: false
        }
    }

    /// The output by its name, so that a failure says where the text came through.
    private static func check(_ outputs: [(name: String, text: String)]) {
        for output in outputs {
            #expect(!output.text.isEmpty && output.text != "missing", "\(output.name)")
            let found = Set(output.text.unicodeScalars.filter(isHarmful))
            let shown = found.map { String($0.value, radix: 16) }
            #expect(found.isEmpty, "\(output.name) has U+\(shown.joined(separator: ", U+"))")
        }
    }

    private static func written(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? "missing"
    }

    @Test func `shows hostile text of services harmlessly wherever it ends`() async throws {
        let simulator = try simulator { request, usual in
            guard case .bytes(let body)? = usual.steps.last, !request.path.hasSuffix("token") else { return usual }
            var text = String(decoding: body, as: UTF8.self)
            for name in ["name", "title", "displayValue", "description", "info", "plain", "ogSiteName"] {
                text = text.replacing(#""\#(name)":""#, with: #""\#(name)":"\#(Self.evil)"#)
            }
            return .json(text)
        }
        defer { simulator.stop() }
        let folder = try ScratchFolder()
        let (cassette, trace, page) = (
            folder.file("run.cassette"), folder.file("trace.ndjson"), folder.file("page.html")
        )
        let files = ["--record", cassette, "--trace", trace]
        let card = await run(live + ["--explain"] + files, simulator.environment)
        let json = await run(live + ["--json", "--explain"], simulator.environment)
        let report = await run(
            [
                "evaluate", cassette, "--fixtures", Repository.root.appending(path: "fixtures/vaults").path, "--report",
                page,
            ],
            [:]
        )
        #expect(card.output.contains("script"), "the text did not come this far: \(card.all)")
        #expect([.done, .short].contains(report.code), "\(report.all)")
        let csv = await run(["evaluate", cassette, "--format", "csv"], [:])
        Self.check([
            ("the card and its log", card.all), ("the JSON and its log", json.all), ("the summary", report.all),
            ("the table", csv.all),
            ("the cassette", Self.written(cassette)), ("the trace", Self.written(trace)),
            ("the page", Self.written(page)),
        ])
        // In JSON what is no letter is an escape, and an escape is as harmful to whoever reads it.
        let escapes = try JSONParser.parse(json.output).texts
        #expect(
            escapes.contains { $0.contains("script") }
                && !escapes.contains { $0.unicodeScalars.contains(where: Self.isHarmful) }
        )
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("&lt;script") && !html.contains("<script>alert"))
        for line in csv.output.split(separator: "\n") {
            for field in line.split(separator: ",") { #expect(!field.hasPrefix("=") && !field.hasPrefix("\"=")) }
        }
    }

    /// A text of a megabyte is cut to what a card may hold; bytes that are no text cost no more than themselves.
    @Test func `takes no more of a text than there is room for, and says that bytes are none`() async throws {
        let simulator = try simulator { request, usual in
            guard case .bytes(let body)? = usual.steps.last, !request.path.hasSuffix("token") else { return usual }
            if request.path.hasPrefix("/yelp") {
                let at = body.firstRange(of: Array(#""name":""#.utf8))?.upperBound ?? body.endIndex
                return LoopbackReply(
                    200,
                    headers: [("Content-Type", "application/json")],
                    body: body[..<at] + [0xFF, 0xC0, 0xAF, 0xED, 0xA0, 0x80] + body[at...]
                )
            }
            let long = String(repeating: "very ", count: 200_000)
            var text = String(decoding: body, as: UTF8.self)
            for name in ["title", "displayValue", "description", "info", "plain"] {
                // One of them: a whole reply has room for two megabytes.
                guard let range = text.firstRange(of: #""\#(name)":""#) else { continue }
                text.insert(contentsOf: long, at: range.upperBound)
                break
            }
            return .json(text)
        }
        defer { simulator.stop() }
        let folder = try ScratchFolder()
        let (cassette, trace) = (folder.file("run.cassette"), folder.file("trace.ndjson"))
        let card = await run(live + ["--explain", "--record", cassette, "--trace", trace], simulator.environment)
        let json = await run(live + ["--json", "--explain"], simulator.environment)
        let set = try JSONParser.parse(json.output)
        #expect(set["choices"]?.array?.count == 3)
        let reasons = (set["reasons"]?.array ?? []).filter { $0["node"]?.string == "yelp" }
        #expect(reasons.map { $0["code"]?.string } == ["provider_partial"], "\(reasons)")
        #expect(set.texts.allSatisfy { $0.utf8.count < 10_000 })
        Self.check([
            ("the card", card.output), ("the cassette", Self.written(cassette)), ("the trace", Self.written(trace)),
        ])
        for (name, text) in [("the card", card.all), ("the trace", Self.written(trace))] {
            let longest = text.split(separator: "\n").map(\.utf8.count).max() ?? 0
            #expect(longest < 20_000, "\(name) has a line of \(longest) bytes")
        }
    }

    @Test func `shows no key in anything that it writes`() async throws {
        let canary = "canary-9d41c7"
        let simulator = try simulator { request, _ in
            // A service that sends back what it was sent, keys and all.
            let sent = request.target + request.headers.map { $0.name + $0.value }.joined()
            return .json(#"{"error":{"code":"\#(sent.filter { $0 != "\"" && $0 != "\\" })"}}"#, status: 400)
        }
        defer { simulator.stop() }
        var environment = simulator.environment
        for (name, value) in environment where value == ProviderSimulator.key { environment[name] = canary }
        let folder = try ScratchFolder()
        let files = ["--record", folder.file("r.cassette"), "--trace", folder.file("t.ndjson")]
        var texts: [String] = []
        let fixtures = ["--fixture", Self.fixture, "--model", "none"]
        for words in [
            live, live + ["--json"], live + ["--explain", "-v", "--timings"], live + ["--plan-only"], live + files,
            ["providers", "list"], ["providers", "list", "--json"], ["providers", "check"],
            ["providers", "check", "--json"], ["config"], ["doctor"], ["explain"] + fixtures,
        ] {
            texts.append(await run(words, environment).all)
        }
        for name in ["r.cassette", "t.ndjson"] {
            texts.append((try? String(contentsOfFile: folder.file(name), encoding: .utf8)) ?? "")
        }
        #expect(simulator.requests.contains { ($0.target + "\($0.headers)").contains(canary) }, "no key was ever sent")
        for text in texts { #expect(!text.contains(canary), "\(text)") }
    }
}

extension JSONValue {
    /// Every text in it, as it is once it is read.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let items): items.flatMap(\.texts)
        case .object(let object): object.members.flatMap { [$0.name] + $0.value.texts }
        default: []
        }
    }
}
