import Arguments
import Console
import Foundation
import JSONDocument
import LoopbackServer
import ProviderSimulator
import Synchronization
import TestSupport
import Testing

@testable import Composition

/// What a live run makes of services that are set up wrongly or are down, and of its own recording.
@Suite("The services of a live run", .onOwnThreads, .serialized)
struct LiveServicesTests {
    /// What a fixture holds under the name of a service would stand in for it, and nobody would see that.
    @Test(arguments: [
        ("KNOT_YELP_KEY_FILE", "/nonexistent/key"), ("KNOT_YELP_URL", "http://yelp.example"),
        ("KNOT_AMAZON_STORE", "www.elsewhere.example"), ("KNOT_SHOPIFY_SHOPS", "no host"),
    ])
    func `is refused where a service is set up so that it cannot be asked, and says which and why`(
        name: String,
        value: String
    ) async throws {
        let simulator = try LiveCommand.simulator()
        defer { simulator.stop() }
        var environment = simulator.environment
        if name.hasSuffix("_FILE") { environment[String(name.dropLast(5))] = nil }
        environment[name] = value
        for words in [LiveCommand.patientWords, LiveCommand.words + ["--plan-only"]] {
            let outcome = try await LiveCommand.run(words, environment)
            #expect(outcome.code == .configuration && outcome.errors.contains(name), "\(outcome.all)")
        }
        #expect(simulator.requests.isEmpty)
        let checked = try await LiveCommand.runApart(["providers", "check"], environment)
        #expect(checked.code == .configuration, "\(checked.all)")
        #expect(checked.output.contains("not_usable") && checked.output.contains(name), "\(checked.all)")
    }

    /// What nobody set up answers out of the fixture, and that it has nothing there says nothing of the others.
    @Test func `fail a run whose fixture has nothing where all that are set up are down`() async throws {
        let folder = try ScratchFolder()
        let written = try Data(contentsOf: URL(filePath: LiveCommand.fixture))
        var world = try #require(try JSONParser.parse(Array(written)).object)
        world["candidates"] = []
        world["judgments"] = nil
        let empty = folder.file("empty.json")
        try Data(JSONWriter.bytes(.object(world))).write(to: URL(filePath: empty))
        let down = Mutex(Set(["/yelp", "/shopify"]))
        let simulator = try LiveCommand.simulator { request, usual in
            let isDown = down.withLock { $0.contains { request.path.hasPrefix($0) } }
            return isDown ? .html("<html>Sorry</html>", status: 503) : usual
        }
        defer { simulator.stop() }
        let environment = simulator.environment.filter { name, _ in
            !["TICKETMASTER", "AMAZON", "FIRECRAWL"].contains { name.contains($0) }
        }
        let words = LiveCommand.patientWords.map { $0 == LiveCommand.fixture ? empty : $0 }
        let failed = try await LiveCommand.run(words, environment)
        #expect(failed.code == .unavailable && failed.errors.contains("yelp"), "\(failed.all)")
        #expect(failed.errors.contains("shopify"), "\(failed.all)")
        // One that answers is enough for a set.
        down.withLock { $0 = ["/yelp"] }
        let short = try await LiveCommand.run(words + ["--json"], environment)
        #expect([.done, .short].contains(short.code) && short.output.contains("provider_failed"), "\(short.all)")
    }

    /// Three attempts are the channel's; another three by the node would be an outage's second half.
    @Test func `asks a service that is down no more often than its channel does`() async throws {
        let simulator = try LiveCommand.simulator { request, usual in
            request.path.hasPrefix("/yelp") ? .html("<html>Sorry</html>", status: 503) : usual
        }
        defer { simulator.stop() }
        let outcome = try await LiveCommand.run(LiveCommand.patientWords + ["--json"], simulator.environment)
        let asked = simulator.requests.filter { $0.path.hasPrefix("/yelp") }.map(\.target)
        let often = Dictionary(asked.map { ($0, 1) }, uniquingKeysWith: +)
        #expect(!often.isEmpty && often.values.allSatisfy { $0 <= 3 }, "\(often)")
        #expect(outcome.output.contains("provider_failed"))
    }

    /// A deadline that is shorter than a service's wait leaves a part for all that comes after.
    @Test func `gives a set by a short deadline without a service that says nothing, and names it`() async throws {
        let simulator = try LiveCommand.simulator { request, usual in
            request.path.hasPrefix("/yelp") ? LoopbackReply([.hang]) : usual
        }
        defer { simulator.stop() }
        let words = LiveCommand.words.map { $0 == "60s" ? "2800ms" : $0 }
        let outcome = try await LiveCommand.runApart(words + ["--json", "--timings"], simulator.environment)
        #expect(outcome.code == .done, "\(outcome.all)")
        let reply = try JSONParser.parse(outcome.output)
        let failed = (reply["reasons"]?.array ?? []).filter { $0["code"]?.string == "provider_failed" }
        #expect(failed.contains { $0["node"]?.string == "yelp" }, "\(reply["reasons"] ?? .null)")
        #expect(reply["choices"]?.array?.count == 3)
        let waited = reply["timings_ms"]?["nodes"]?["yelp"]?.double ?? .infinity
        #expect(waited < 1_900, "\(waited)")
    }

    @Test func `says what a service answered, and not only that it is not asked any more`() async throws {
        let simulator = try LiveCommand.simulator { request, usual in
            guard request.path.hasPrefix("/yelp") else { return usual }
            return .json(#"{"error":{"code":"ACCESS_LIMIT_REACHED"}}"#, status: 429)
        }
        defer { simulator.stop() }
        let outcome = try await LiveCommand.run(LiveCommand.patientWords + ["--json"], simulator.environment)
        let reasons = try JSONParser.parse(outcome.output)["reasons"]?.array ?? []
        let failed = reasons.filter { $0["code"]?.string == "provider_failed" && $0["node"]?.string == "yelp" }
        #expect(failed.contains { "\($0)".contains("no calls left today") }, "\(reasons)")
    }

    @Test func `is recorded so that it can be run again, explained and measured`() async throws {
        let simulator = try LiveCommand.simulator()
        defer { simulator.stop() }
        let folder = try ScratchFolder()
        let cassette = folder.file("run.cassette")
        let words = LiveCommand.patientWords + ["--json", "--record", cassette]
        let first = try await LiveCommand.run(words, simulator.environment)
        #expect(first.code == .done, "\(first.all)")
        let again = try await LiveCommand.run(["replay", cassette, "--json"], [:])
        #expect(again.code == .done && again.output == first.output, "\(again.all)")
        let explained = try await LiveCommand.run(["explain", "--record", cassette], [:])
        #expect(explained.code == .done, "\(explained.all)")
    }
}
