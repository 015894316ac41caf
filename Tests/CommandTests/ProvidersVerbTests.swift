import Arguments
import Console
import Fixtures
import Foundation
import HTTPClient
import JSONDocument
import KnotDomain
import LiveProviders
import LoopbackServer
import ProviderSimulator
import Synchronization
import TestSupport
import Testing

@testable import Composition
@testable import knot_recommend

@Suite("The services that are set up", .onOwnThreads, .serialized)
struct ProvidersVerbTests {
    private func run(_ words: [String], _ environment: [String: String]) async -> (code: ExitCode, text: String) {
        let (output, errors) = (MemorySink(), MemorySink())
        let tool = CommandTool(environment: Environment(environment), output: output, diagnostics: errors, verbs: [])
        return (await tool.run(words), output.text + errors.text)
    }

    @Test func `are listed with what sets up the others`() async throws {
        let folder = try ScratchFolder()
        let file = folder.file("key")
        try Data("secret-of-a-file\n".utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let (code, text) = await run(
            ["providers", "list"],
            ["KNOT_YELP_KEY": "abc", "KNOT_TICKETMASTER_KEY_FILE": file, "KNOT_FIRECRAWL_KEY": "two words"]
        )
        #expect(code == .done)
        #expect(text.contains("yelp          ready") && text.contains("ticketmaster  ready"))
        #expect(text.contains("amazon        not set up") && text.contains("KNOT_AMAZON_CLIENT_ID"))
        #expect(text.contains("set KNOT_SHOPIFY_PROFILE or KNOT_SHOPIFY_SHOPS"), "one of them is enough")
        #expect(text.contains("firecrawl     not usable") && !text.contains("two words") && !text.contains("abc"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `say what is left of a day's calls, whichever process made them`() async throws {
        let fixture = try FixtureLoader().load(Repository.root.appending(path: "fixtures/vaults/dev-01.json").path)
        let simulator = try ProviderSimulator(fixture.fixture)
        defer { simulator.stop() }
        let state = try ScratchFolder()
        let environment = simulator.environment.merging(["XDG_STATE_HOME": state.path]) { $1 }
        func left() async throws -> Int? {
            let json = try JSONParser.parse(await run(["providers", "list", "--json"], environment).text)
            return json["providers"]?.array?.first?["quota_left"]?.int
        }
        #expect(try await left() == 300)
        _ = await run(["providers", "check"], environment)
        #expect(try await left() == 299)
        let spared = environment.merging(["KNOT_LIVE_LIMITS": "none"]) { $1 }
        #expect(await run(["providers", "check"], spared).code == .done)
        #expect(try await left() == 299)
        let wrong = await run(["providers", "check"], environment.merging(["KNOT_LIVE_LIMITS": "few"]) { $1 })
        #expect(wrong.code == .configuration && wrong.text.contains("KNOT_LIVE_LIMITS"), "\(wrong)")
    }

    @Test func `are not usable with a file that is too large for a key, and its limit is said`() async throws {
        let folder = try ScratchFolder()
        try Data(repeating: 0x61, count: 1 << 20).write(to: URL(filePath: folder.file("key")))
        let (_, text) = await run(["providers", "list"], ["KNOT_YELP_KEY_FILE": folder.file("key")])
        #expect(text.contains("yelp          not usable") && text.contains("KiB"), "\(text)")
        #expect(!text.contains("0 MiB"), "\(text)")
    }

    @Test func `are said to lack calls where a plan asks more of them than is left today`() throws {
        let call = ServiceCall(HTTPRequest(.get, "https://yelp.example/"), asks: "quilts", cost: 2)
        let report = AskedCalls([(.yelp, call), (.yelp, call), (.amazon, call)], left: [.yelp: 3, .amazon: 2]).report
        let text = report.lines.joined(separator: " ")
        #expect(text.contains("yelp has 3 calls left today, and the run's count 4"), "\(text)")
        #expect(!text.contains("amazon has"), "\(text)")
        #expect(report.json["calls"]?.array?.map { $0["quota_left"]?.int } == [3, 3, 2])
    }

    @Test(arguments: [
        ("KNOT_YELP_URL", "http://yelp.example"), ("KNOT_YELP_URL", "https://user@yelp.example"),
        ("KNOT_YELP_URL", "https://yelp.example/?x=1"), ("KNOT_YELP_URL", "ftp://yelp.example"),
        ("KNOT_YELP_URL", "http://localhost.evil.example"), ("KNOT_YELP_KEY_FILE", "/nonexistent/key"),
        ("KNOT_YELP_URL", "https://[::1"), ("KNOT_YELP_URL", "https://yelp.example:99999"),
        ("KNOT_YELP_URL", "https://1.2.3"), ("KNOT_YELP_URL", "https://yelp..example"), ("KNOT_YELP_URL", "https://"),
        ("KNOT_YELP_URL", "http://127.1"),
    ])
    func `are not usable with a wrong variable`(name: String, value: String) async {
        var environment = ["KNOT_YELP_KEY": "abc"]
        if name.hasSuffix("_FILE") { environment = [:] }
        environment[name] = value
        let (_, text) = await run(["providers", "list"], environment)
        #expect(text.contains("yelp          not usable") && text.contains(name), "\(text)")
    }

    @Test func `answer one small call each, and one that does not fails the check`() async throws {
        let simulator = try LiveCommand.simulator()
        defer { simulator.stop() }
        // In a process of its own: beside whatever other tests compute in this one, a service's seconds can pass
        // before it is asked.
        let fine = try await LiveCommand.runApart(["providers", "check"], simulator.environment)
        #expect(fine.code == .done, "\(fine.all)")
        #expect(simulator.requests.count == 6, "five services, and a token for one of them")
        var environment = simulator.environment
        environment["KNOT_YELP_KEY"] = "wrong"
        let broken = try await LiveCommand.runApart(["providers", "check", "--json"], environment)
        #expect(broken.code == .unavailable)
        #expect(broken.all.contains("token_invalid") && !broken.all.contains("wrong"))
    }

    @Test func `fail the check where they are down now, whatever they answered before`() async throws {
        let isDown = Mutex(false)
        let simulator = try LiveCommand.simulator { request, usual in
            isDown.withLock { $0 } && request.path.hasPrefix("/yelp") ? .html("<html>Sorry</html>", status: 503) : usual
        }
        defer { simulator.stop() }
        let home = try ScratchFolder()
        let environment = simulator.environment.merging(["XDG_STATE_HOME": home.path]) { $1 }
        let words = ["providers", "check"]
        let before = try await LiveCommand.runApart(words, environment)
        #expect(before.code == .done, "\(before.all)")
        isDown.withLock { $0 = true }
        let after = try await LiveCommand.runApart(words, environment)
        #expect(after.code == .unavailable && after.output.contains("yelp          fails"), "\(after.all)")
    }

    @Test func `fail the check where one of several shops does not answer`() async throws {
        let simulator = try LiveCommand.simulator()
        defer { simulator.stop() }
        var environment = simulator.environment
        environment["KNOT_SHOPIFY_SHOPS"] = "shop.invalid"
        let checked = try await LiveCommand.runApart(["providers", "check", "--json"], environment)
        #expect(checked.code == .unavailable, "\(checked.all)")
        let rows = try JSONParser.parse(checked.output)["providers"]?.array ?? []
        let shops = try #require(rows.first { $0["name"]?.string == "shopify" })
        #expect(shops["answers"] == false && shops["code"]?.string == "provider_partial", "\(shops)")
        #expect("\(shops)".contains("of its 2 calls failed") && (shops["found"]?.int ?? 0) > 0, "\(shops)")
    }

    @Test func `say what is missing where the system cannot load libcurl, which nothing else needs`() async throws {
        let folder = try ScratchFolder()
        try Data("no library".utf8).write(to: URL(filePath: folder.file("libcurl.so.4")))
        let environment = ["LD_LIBRARY_PATH": folder.path, "KNOT_YELP_KEY": "abc"]
        let checked = try await LiveCommand.runApart(["providers", "check"], environment)
        #expect(checked.code != .done && checked.all.contains("libcurl.so.4"), "\(checked.all)")
        #expect(try await LiveCommand.runApart(["graph"], environment).code == .done)
    }
}
