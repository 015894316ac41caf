import Console
import Foundation
import JSONDocument
import LiveProviders
import LoopbackServer
import ProviderSimulator
import Synchronization
import TestSupport
import Testing

@testable import Composition

/// `run --live --record-traffic` and `--play-traffic`: a live run made again without network and keys.
@Suite("The traffic of a live run", .onOwnThreads, .serialized)
struct LiveTrafficTests {
    private func recorded(
        to path: String,
        _ more: [String] = [],
        _ fault: @escaping ProviderSimulator.Fault = { _, usual in usual }
    ) async throws -> LiveCommand.Outcome {
        let simulator = try LiveCommand.simulator(servesPages: true, fault)
        defer { simulator.stop() }
        let words = LiveCommand.patientWords + ["--json", "--record-traffic", path] + more
        let outcome = try await LiveCommand.run(words, simulator.environment)
        #expect(!simulator.pageRequests.isEmpty, "no page was looked at")
        return outcome
    }

    private func played(_ path: String, _ more: [String] = []) async throws -> LiveCommand.Outcome {
        try await LiveCommand.run(LiveCommand.patientWords + ["--json", "--play-traffic", path] + more, [:])
    }

    @Test func `gives the same set to the byte, with services and pages gone and no key set`() async throws {
        let folder = try ScratchFolder()
        let live = try await recorded(to: folder.file("t.traffic"))
        #expect(try JSONParser.parse(live.output)["choices"]?.array?.count == 3, "\(live.all)")
        let again = try await played(folder.file("t.traffic"))
        #expect(again.output == live.output && again.code == live.code, "\(again.all)")
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("t.traffic"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func `gives the same degraded set where a service was down and pages were walls`() async throws {
        let folder = try ScratchFolder()
        let live = try await recorded(to: folder.file("t.traffic")) { request, usual in
            if request.path.hasPrefix("/amazon/catalog") { return .html("<html>Sorry</html>", status: 503) }
            return request.path.hasPrefix("/page/") ? .html("<title>Just a moment...</title>", status: 403) : usual
        }
        #expect(live.output.contains("provider_failed") && live.output.contains("availability_unknown"))
        let again = try await played(folder.file("t.traffic"))
        #expect(again.output == live.output && again.code == live.code, "\(live.all) \(again.all)")
    }

    @Test func `gives the same set where there was no time for all pages`() async throws {
        let folder = try ScratchFolder()
        // Some pages are gone, and the others take all the time there is: what would replace the gone is not looked at.
        let limits = ["--set", "check.time_s=0.7"]
        let live = try await recorded(to: folder.file("t.traffic"), limits) { request, usual in
            guard request.path.hasPrefix("/page/") else { return usual }
            let isGone = (request.path.utf8.last ?? 0) % 2 == 0
            return isGone ? .html("<title>Gone</title>", status: 404) : LoopbackReply([.hang])
        }
        #expect(live.output.contains("the time was over"), "\(live.all)")
        let again = try await played(folder.file("t.traffic"), limits)
        #expect(again.output == live.output && again.code == live.code, "\(live.all) \(again.all)")
    }

    @Test func `goes on without a service again that it did not wait for, whatever that answered then`() async throws {
        let folder = try ScratchFolder()
        let path = folder.file("t.traffic")
        let live = try await recorded(to: path)
        let tape = try TrafficTape(ndjson: InputFile.read(path))
        let lateOnes = tape.entries.filter { if case .lateService = $0 { true } else { false } }
        #expect(lateOnes.isEmpty != live.output.contains("no result after"))
        // As on a machine that had too much to do with what was answered.
        let entries = tape.entries.filter { $0 != .lateService("yelp") } + [.lateService("yelp")]
        let late = TrafficTape(services: tape.services, pages: tape.pages, entries: entries)
        try Data(late.ndjson()).write(to: URL(filePath: path))
        let again = try await played(path)
        #expect(again.output.contains("no result after 30s") && again.code == .done, "\(again.all)")
    }

    @Test func `gives the same set where a host asked to be left alone, and other looks at it had begun`() async throws
    {
        let folder = try ScratchFolder()
        let live = try await recorded(to: folder.file("t.traffic")) { request, usual in
            guard request.path.hasPrefix("/page/") else { return usual }
            let isBusy = (request.path.utf8.last ?? 0) % 2 == 0
            return isBusy
                ? .html("", status: 429, headers: [("Retry-After", "30")]) : .html("<h1>Teapot</h1><p>sold out</p>")
        }
        let again = try await played(folder.file("t.traffic"))
        #expect(again.output == live.output && again.code == live.code, "\(live.all) \(again.all)")
    }

    @Test func `is kept also of a run that came to nothing`() async throws {
        let folder = try ScratchFolder()
        let simulator = try LiveCommand.simulator { _, _ in LoopbackReply([.close]) }
        defer { simulator.stop() }
        let words = LiveCommand.patientWords + ["--record-traffic", folder.file("t.traffic")]
        let live = try await LiveCommand.run(words, simulator.environment)
        #expect(live.code == .unavailable)
        let again = try await played(folder.file("t.traffic"))
        #expect(again.code == .unavailable, "\(again.all)")
    }

    @Test func `has no key in it, and what it is played with has none either`() async throws {
        let canary = "canary-9d41c7"
        let folder = try ScratchFolder()
        let simulator = try LiveCommand.simulator { request, _ in
            let sent = request.target + request.headers.map { $0.name + $0.value }.joined()
            return .json(#"{"error":{"code":"\#(sent.filter { $0 != "\"" && $0 != "\\" })"}}"#, status: 400)
        }
        defer { simulator.stop() }
        var environment = simulator.environment
        for (name, value) in environment where value == ProviderSimulator.key { environment[name] = canary }
        let path = folder.file("t.traffic")
        let live = try await LiveCommand.run(LiveCommand.patientWords + ["--record-traffic", path], environment)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("{secret}"), "the services were sent no key")
        #expect(!text.contains(canary) && !live.all.contains(canary) && !text.contains(simulator.url))
    }

    @Test func `is refused where it was cut short, changed or is something else, and says which line`() async throws {
        let folder = try ScratchFolder()
        let path = folder.file("t.traffic")
        _ = try await recorded(to: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        var changed = whole
        changed[whole.count / 2] ^= 1
        let cassette = Data("{\"schema\":\"knot.cassette/1\"}\n".utf8)
        let version = Data(String(decoding: whole, as: UTF8.self).replacing("traffic/1", with: "traffic/9").utf8)
        for bytes in [whole.prefix(whole.count / 2), whole.dropLast(), changed, cassette, version, Data()] {
            try bytes.write(to: URL(filePath: path))
            let outcome = try await played(path)
            #expect(outcome.code == .badInput && outcome.errors.contains("line "), "\(outcome.all)")
            #expect(!outcome.output.contains("choices"))
        }
    }

    @Test func `is refused for a run that asks something else`() async throws {
        let folder = try ScratchFolder()
        _ = try await recorded(to: folder.file("t.traffic"))
        let other = try await played(folder.file("t.traffic"), ["--as-of", "2026-01-05T00:00:00Z"])
        #expect(other.code == .badInput && other.errors.contains("ticketmaster"), "\(other.all)")
        #expect(other.errors.contains("--as-of"))
    }

    @Test(arguments: [
        ["--record-traffic", "a", "--play-traffic", "b"], ["--plan-only", "--record-traffic", "a"],
    ])
    func `is either recorded or played`(words: [String]) async throws {
        let folder = try ScratchFolder()
        let paths = words.map { $0.hasPrefix("-") ? $0 : folder.file($0) }
        try Data().write(to: URL(filePath: folder.file("b")))
        #expect(try await LiveCommand.run(LiveCommand.patientWords + paths, [:]).code == .usage)
    }
}

/// What services answered before, for the time when they do not.
@Suite("A service that is down", .onOwnThreads, .serialized)
struct OldRepliesTests {
    @Test func `still has what it answered before, and the run says how old that is`() async throws {
        let isDown = Mutex(false)
        let simulator = try LiveCommand.simulator { request, usual in
            isDown.withLock { $0 } && request.path.hasPrefix("/yelp") ? .html("<html>Sorry</html>", status: 503) : usual
        }
        defer { simulator.stop() }
        let home = try ScratchFolder()
        let words = LiveCommand.patientWords + ["--json"]
        let before = try await LiveCommand.run(words, simulator.environment, home: home)
        isDown.withLock { $0 = true }
        let after = try await LiveCommand.run(words, simulator.environment, home: home)
        let (set, old) = (try JSONParser.parse(after.output), try JSONParser.parse(before.output))
        let reasons = set["reasons"]?.array ?? []
        let reason = try #require(reasons.first { $0["code"]?.string == "provider_partial" }, "\(reasons)")
        #expect("\(reason)".contains("yelp") && "\(reason)".contains("ago"), "\(reason)")
        #expect(set["choices"]?.array?.map { $0["candidate_id"] } == old["choices"]?.array?.map { $0["candidate_id"] })
        #expect(set["outcome"]?.string == "degraded")
        // In a home of its own nobody knows what it answered.
        let other = try await LiveCommand.run(words, simulator.environment)
        #expect(other.output.contains("provider_failed"))
    }

    @Test func `keeps no answer of a run that is to write nothing, and has those that are kept`() async throws {
        let simulator = try LiveCommand.simulator { _, usual in usual }
        let home = try ScratchFolder()
        let folder = home.path + "/knot-recommend/replies"
        let dry = LiveCommand.patientWords + ["--dry-run"]
        _ = try await LiveCommand.run(dry, simulator.environment, home: home)
        #expect(((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).isEmpty)
        _ = try await LiveCommand.run(LiveCommand.patientWords, simulator.environment, home: home)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names.count >= 5)
        simulator.stop()
        let later = try await LiveCommand.run(dry, simulator.environment, home: home)
        #expect(!later.output.contains("sources_failed"), "\(later.all)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
    }

    @Test func `leaves files that nobody else may read, and no key in them`() async throws {
        let simulator = try LiveCommand.simulator { request, usual in
            guard case .bytes(let body)? = usual.steps.last, !request.path.hasSuffix("token") else { return usual }
            let sent = (request.target + (request.header("authorization") ?? "")).filter { $0 != "\"" && $0 != "\\" }
            return .json("{\"echo\":\"\(sent)\"," + String(decoding: body, as: UTF8.self).dropFirst())
        }
        defer { simulator.stop() }
        let home = try ScratchFolder()
        _ = try await LiveCommand.run(LiveCommand.patientWords, simulator.environment, home: home)
        let folder = home.path + "/knot-recommend/replies"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count >= 5)
        #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
        for name in names {
            let path = "\(folder)/\(name)"
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(!text.contains(ProviderSimulator.key) && !text.contains(ProviderSimulator.token), "\(name)")
            #expect(!name.contains("amazon") || !text.contains("access_token"))
        }
    }
}

/// Pages of what services have, within a live run over HTTP.
@Suite("The pages of a live run", .onOwnThreads, .serialized)
struct LivePagesTests {
    private func cards(_ outcome: LiveCommand.Outcome) throws -> [(id: String, page: String)] {
        let set = try JSONParser.parse(outcome.output)
        return (set["choices"]?.array ?? []).compactMap { card in
            guard let id = card["candidate_id"]?.string, let url = card["url"]?.string else { return nil }
            return (id, String(url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }))
        }
    }

    private func run(
        _ fault: @escaping ProviderSimulator.Fault
    ) async throws -> (outcome: LiveCommand.Outcome, pages: [LoopbackRequest], checkSeconds: Double) {
        let simulator = try LiveCommand.simulator(servesPages: true, fault)
        defer { simulator.stop() }
        let outcome = try await LiveCommand.run(
            LiveCommand.patientWords + ["--json", "--timings"],
            simulator.environment
        )
        let took = try JSONParser.parse(outcome.output)["timings_ms"]?["nodes"]?["check"]?.double
        return (outcome, simulator.pageRequests, try #require(took, "\(outcome.all)") / 1_000)
    }

    @Test func `replace whatever is gone from the reserve, within five seconds`() async throws {
        let usual = try await run { _, usual in usual }
        let before = try cards(usual.outcome)
        try #require(before.count == 3)
        for lost in 1...3 {
            let gone = Set(before.prefix(lost).map(\.page))
            let found = try await run { request, usual in
                gone.contains(request.path) ? .html("<h1>Not found</h1>", status: 404) : usual
            }
            let after = try cards(found.outcome)
            #expect(after.count == 3, "\(found.outcome.all)")
            #expect(Set(after.map(\.page)).isDisjoint(with: gone))
            #expect(found.checkSeconds < 5)
            // Whoever is shown was looked at.
            for card in after { #expect(found.pages.contains { $0.path == card.page && $0.method == "GET" }) }
        }
    }

    @Test func `are shown as unknown where none of them answers, after five seconds at most`() async throws {
        let found = try await run { request, usual in
            request.path.hasPrefix("/page/") ? LoopbackReply([.hang]) : usual
        }
        #expect(try cards(found.outcome).count == 3, "\(found.outcome.all)")
        #expect(found.outcome.output.contains("availability_unknown"))
        #expect(found.checkSeconds < 5.5)
    }

    /// Nobody but whoever runs the program could follow such a link.
    @Test func `of this machine are neither looked at nor shown unless whoever runs it names them`() async throws {
        let simulator = try LiveCommand.simulator(servesPages: true)
        defer { simulator.stop() }
        var environment = simulator.environment
        environment["KNOT_PAGES"] = nil
        let outcome = try await LiveCommand.run(LiveCommand.patientWords + ["--json"], environment)
        #expect(outcome.output.contains("leads to this machine"), "\(outcome.all)")
        #expect(!outcome.output.contains("http://127.") && simulator.pageRequests.isEmpty, "\(outcome.all)")
        // However they are written: a port that goes without saying, and an address in a short form.
        for right in ["http://127.0.0.1", "http://[::1]:8080", "http://localhost:8080"] {
            environment["KNOT_PAGES"] = right
            let taken = try await LiveCommand.run(LiveCommand.patientWords + ["--plan-only"], environment)
            #expect(taken.code == .done, "\(taken.all)")
        }
        for wrong in ["https://shop.example", "http://127.0.0.1:1/x", "http://10.0.0.1:80", "all"] {
            environment["KNOT_PAGES"] = wrong
            let refused = try await LiveCommand.run(LiveCommand.patientWords, environment)
            #expect(refused.code == .configuration && refused.errors.contains("KNOT_PAGES"), "\(refused.all)")
        }
    }

    @Test func `whose headers are beyond all measure are unknown`() async throws {
        let header = LoopbackReply.head(200, (0..<2_000).map { ("X-\($0)", String(repeating: "y", count: 100)) })
        let found = try await run { request, usual in
            request.path.hasPrefix("/page/") ? LoopbackReply([.bytes(header), .close]) : usual
        }
        #expect(try cards(found.outcome).count == 3, "\(found.outcome.all)")
        #expect(found.outcome.output.contains("availability_unknown") && found.checkSeconds < 5)
    }
}
