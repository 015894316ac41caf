import Foundation
import HTTPClient
import KnotDomain
import LoopbackServer
import Recommendation
import Synchronization
import TestSupport
import Testing

@testable import LiveProviders

/// A time of day that a test sets.
private final class SetTime: Sendable {
    private let seconds = Mutex<Int64>(1_795_000_000)

    var now: Int64 { seconds.withLock { $0 } }
    func pass(_ more: Int64) { seconds.withLock { $0 += more } }

    var clock: ServiceClock {
        var clock = ServiceClock.system
        clock.secondsSince1970 = { self.now }
        return clock
    }
}

@Suite("Replies that are kept for an outage")
struct KeptRepliesTests {
    enum Place: String, CaseIterable, Sendable {
        case memory
        case folder
    }

    private static let terms = KeptReplies.Terms(life: .seconds(3_600)) {
        $0.status == 200
    } isOutage: {
        $0.status >= 500 || $0.status == 429
    }
    private static let scrubber = Scrubber([Scrubber.Hidden("canary-5f1e", as: "KEY", isSecret: true)])
    private static let get = HTTPRequest(.get, "https://api.example/search?q=tea&key=canary-5f1e")

    /// A service, what is kept of it, and whether it is well.
    private struct World {
        let time = SetTime()
        let scratch: ScratchFolder
        let keeping: any ReplyKeeping
        let sender: ScriptedSender
        let kept: KeptReplies

        init(_ place: Place, limits: ReplyFolder.Limits = .init(), _ answer: @escaping ScriptedSender.Answer) throws {
            scratch = try ScratchFolder()
            let time = time
            keeping = place == .memory ? ReplyMemory() : ReplyFolder(at: scratch.path, limits: limits) { time.now }
            sender = ScriptedSender(answer)
            kept = KeptReplies(sender, in: keeping, terms: terms, scrubber: scrubber, clock: time.clock)
        }

        func ask(_ request: HTTPRequest = get) async throws -> HTTPResponse {
            try await kept.send(request, by: LastResort.end)
        }
    }

    /// Answers once, and does something else from then on.
    private func once(_ then: @escaping ScriptedSender.Answer) -> ScriptedSender.Answer {
        let isFirst = Mutex(true)
        return { request throws(HTTPFailure) in
            let first = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            return first ? .json(#"{"found":"teapot canary-5f1e"}"#) : try then(request)
        }
    }

    @Test(arguments: Place.allCases, [503, 429, 500])
    func `stand in for a service that is out of order, and say how old they are`(place: Place, status: Int) async throws
    {
        let world = try World(place, once { _ in .page(status) })
        #expect(try await world.ask().age == nil)
        world.time.pass(600)
        let old = try await world.ask()
        #expect(old.status == 200 && old.age == .seconds(600) && old.mediaType == "application/json")
        #expect(String(decoding: old.body, as: UTF8.self) == #"{"found":"teapot {secret}"}"#)
    }

    @Test(arguments: Place.allCases, HTTPFailure.Kind.allCases)
    func `stand in for one that cannot be reached, and not for one that is somebody else or was not asked`(
        place: Place,
        kind: HTTPFailure.Kind
    ) async throws {
        let world = try World(place, once { _ throws(HTTPFailure) in throw HTTPFailure(kind, host: "h", "") })
        _ = try await world.ask()
        let stands: Set<HTTPFailure.Kind> = [
            .connect, .timeout, .reset, .protocolError, .breakerOpen, .overloaded, .overQuota,
        ]
        if stands.contains(kind) {
            #expect(try await world.ask().age != nil)
        } else {
            await #expect(throws: HTTPFailure.self) { try await world.ask() }
        }
    }

    @Test(arguments: Place.allCases, [400, 401, 403, 404])
    func `do not hide that a call is wrong`(place: Place, status: Int) async throws {
        let world = try World(place, once { _ in .page(status) })
        _ = try await world.ask()
        #expect(try await world.ask().status == status)
    }

    @Test(arguments: Place.allCases)
    func `are gone to the second when the service's terms say so, and under a clock that was set back`(
        place: Place
    ) async throws {
        let world = try World(place, once { _ in .page(503) })
        _ = try await world.ask()
        world.time.pass(3_599)
        #expect(try await world.ask().age == .seconds(3_599))
        world.time.pass(1)
        #expect(try await world.ask().status == 503)
        world.time.pass(-3_000)
        #expect(try await world.ask().status == 503, "what was over came back")
        let other = try World(place, once { _ in .page(503) })
        _ = try await other.ask()
        other.time.pass(-3_600)
        #expect(try await other.ask().status == 503)
    }

    @Test(arguments: Place.allCases)
    func `are those of the same call alone, whatever the key`(place: Place) async throws {
        let world = try World(place, once { _ in .page(503) })
        _ = try await world.ask()
        let other = HTTPRequest(.get, "https://api.example/search?q=coffee&key=canary-5f1e")
        #expect(try await world.ask(other).status == 503)
        let accepted = HTTPRequest(.get, Self.get.url, headers: [HTTPHeader("Accept-Language", "de")])
        #expect(try await world.ask(accepted).status == 503)
    }

    @Test(arguments: Place.allCases)
    func `are not kept where credentials were sent, or the service forbids it`(place: Place) async throws {
        let body = Array(#"{"secret":"canary-5f1e"}"#.utf8)
        let token = HTTPRequest(.post, "https://api.example/token", body: body, isIdempotent: true)
        let world = try World(place, once { _ in .page(503) })
        _ = try await world.ask(token)
        #expect(try await world.ask(token).status == 503)
        let isFirst = Mutex(true)
        let strict = try World(place) { _ in
            let first = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            return first ? .json("{}", headers: [("Cache-Control", "private, No-Store")]) : .page(503)
        }
        _ = try await strict.ask()
        #expect(try await strict.ask().status == 503)
    }

    /// An address that is left out of recordings, as that of an agent's profile, is no credential.
    @Test(arguments: Place.allCases)
    func `are kept where a body names a configured address`(place: Place) async throws {
        let scrubber = Scrubber([
            Scrubber.Hidden("https://agent.example/profile.json", as: "PROFILE", isSecret: false),
            Scrubber.Hidden("canary-5f1e", as: "KEY", isSecret: true),
        ])
        let body = Array(#"{"agent":"https://agent.example/profile.json"}"#.utf8)
        let search = HTTPRequest(.post, "https://api.example/search", body: body, isIdempotent: true)
        let world = try World(place, once { _ in .page(503) })
        let kept = KeptReplies(
            world.sender,
            in: world.keeping,
            terms: Self.terms,
            scrubber: scrubber,
            clock: world.time.clock
        )
        _ = try await kept.send(search, by: LastResort.end)
        #expect(try await kept.send(search, by: LastResort.end).age != nil)
    }

    @Test(arguments: Place.allCases)
    func `are asked for again by their tag, and are new when nothing has changed`(place: Place) async throws {
        let server = try LoopbackServer { request in
            guard request.header("if-none-match") == "\"v1\"" else {
                return .json(#"{"found":"teapot"}"#, headers: [("ETag", "\"v1\"")])
            }
            return LoopbackReply(304)
        }
        defer { server.stop() }
        let client = try HTTPClient()
        let world = try World(place) { _ in .page(500) }
        let kept = KeptReplies(
            client,
            in: world.keeping,
            terms: Self.terms,
            scrubber: Self.scrubber,
            clock: world.time.clock
        )
        for _ in 0..<3 {
            let reply = try await kept.send(HTTPRequest(.get, server.url + "/a"), by: LastResort.end)
            #expect(reply.status == 200 && reply.age == nil)
            #expect(String(decoding: reply.body, as: UTF8.self) == #"{"found":"teapot"}"#)
            world.time.pass(3_000)
        }
        #expect(server.requests.map { $0.header("if-none-match") } == [nil, "\"v1\"", "\"v1\""])
    }

    @Test func `take no more room than they may, the oldest first`() throws {
        let memory = ReplyMemory(mostBytes: 10_000)
        let scratch = try ScratchFolder()
        var limits = ReplyFolder.Limits()
        (limits.files, limits.sweep, limits.fileBytes) = (10, 5, 4_000)
        let folder = ReplyFolder(at: scratch.path, limits: limits) { 1_795_000_000 }
        for number in 0..<100 {
            let body = [UInt8](repeating: 0x61, count: 1_000)
            let reply = TapedReply(status: 200, headers: [:], body: body, isCut: false, age: nil)
            let kept = KeptReply(reply, since: 1_795_000_000, tag: nil)
            memory.keep(kept, of: "\(number)")
            folder.keep(kept, of: "call-\(number)")
            #expect(memory.byteCount <= 10_000)
            let count = try FileManager.default.contentsOfDirectory(atPath: scratch.path).count
            #expect(count <= limits.files + limits.sweep)
            #expect(folder.reply(to: "call-\(number)") == kept && memory.reply(to: "\(number)") == kept)
        }
        #expect(memory.reply(to: "0") == nil)
        let huge = TapedReply(
            status: 200,
            headers: [:],
            body: [UInt8](repeating: 0x61, count: 5_000),
            isCut: false,
            age: nil
        )
        folder.keep(KeptReply(huge, since: 0, tag: nil), of: "huge")
        #expect(folder.reply(to: "huge") == nil)
    }

    @Test func `in a folder are there for another process, private, and nothing else is taken for one`() async throws {
        let world = try World(.folder, once { _ in .page(503) })
        _ = try await world.ask()
        let names = try FileManager.default.contentsOfDirectory(atPath: world.scratch.path)
        try #require(names.count == 1)
        let path = "\(world.scratch.path)/\(names[0])"
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let whole = try Data(contentsOf: URL(filePath: path))
        #expect(!String(decoding: whole, as: UTF8.self).contains("canary"))
        let time = world.time
        let other = ReplyFolder(at: world.scratch.path) { time.now }
        let call = String(names[0].dropLast(".reply".count))
        let kept = await world.keeping.reply(to: call)
        #expect(other.reply(to: call) == kept && kept != nil)
        for bytes in [whole.prefix(whole.count / 2), Data(), Data("{}".utf8), Data([0xFF, 0xFE])] {
            try bytes.write(to: URL(filePath: path))
            #expect(other.reply(to: call) == nil)
            #expect(try await world.ask().status == 503)
        }
        // A file of one call under the name of another is no reply to it.
        try whole.write(to: URL(filePath: "\(world.scratch.path)/other.reply"))
        #expect(other.reply(to: "other") == nil)
    }

    @Test func `in a folder that is not there are not kept, and nothing fails for that`() async throws {
        let folder = ReplyFolder(at: "/nonexistent/replies") { 0 }
        let sender = ScriptedSender(once { _ in .page(503) })
        let kept = KeptReplies(sender, in: folder, terms: Self.terms, scrubber: Self.scrubber)
        #expect(try await kept.send(Self.get, by: .now + .seconds(1)).status == 200)
        #expect(try await kept.send(Self.get, by: .now + .seconds(1)).status == 503)
    }

    /// A reply that nobody can read is what a service sends that is out of order, whatever its status says.
    @Test(arguments: ["yelp", "ticketmaster", "amazon", "shopify", "firecrawl"])
    func `are not displaced by one that cannot be read, and stand in for it`(name: String) async throws {
        let service = try #require(Adapters.all(Adapters.reply).first { $0.capability.name.rawValue == name })
        let isFirst = Mutex(true)
        let good = Replies.of(name)
        let sender = ScriptedSender { _ in
            let first = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            return .json(first ? good : #"{"cut": "#)
        }
        let terms = ServiceConduct(service, account: "a").terms
        let kept = KeptReplies(sender, in: ReplyMemory(), terms: terms, scrubber: Self.scrubber)
        #expect(try await kept.send(Self.get, by: LastResort.end).age == nil)
        for _ in 0..<2 { #expect(try await kept.send(Self.get, by: LastResort.end).age != nil) }
    }

    @Test func `in a folder that services share are gone when the terms of each say so`() throws {
        let scratch = try ScratchFolder()
        let time = SetTime()
        func folder(_ life: Int64) -> ReplyFolder {
            var limits = ReplyFolder.Limits()
            (limits.life, limits.sweep) = (life, 1)
            return ReplyFolder(at: scratch.path, limits: limits) { time.now }
        }
        let reply = TapedReply(status: 200, headers: [:], body: [0x7B, 0x7D], isCut: false, age: nil)
        let written = Int64(Date().timeIntervalSince1970)
        time.pass(written - time.now)
        let kept = KeptReply(reply, since: time.now, tag: nil)
        folder(3_600).keep(kept, of: "amazon-a")
        folder(86_400).keep(kept, of: "yelp-a")
        time.pass(3_700)
        folder(86_400).keep(kept, of: "yelp-b")
        #expect(folder(3_600).reply(to: "amazon-a") == nil && folder(86_400).reply(to: "yelp-a") == kept)
        time.pass(86_400)
        folder(3_600).keep(kept, of: "amazon-b")
        #expect(folder(86_400).reply(to: "yelp-a") == nil)
    }

    @Test func `are kept no longer than each service's contract says`() {
        let hours = Adapters.all(Adapters.reply).map { ($0.capability.name.rawValue, $0.keeping) }
        let known = Dictionary(uniqueKeysWithValues: hours)
        #expect(known["yelp"] == .seconds(86_400) && known["amazon"] == .seconds(3_600))
        #expect(known.values.allSatisfy { $0 <= .seconds(86_400) })
    }
}
