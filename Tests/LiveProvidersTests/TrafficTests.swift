import HTTPClient
import JSONDocument
import KnotDomain
import LiveProviders
import Recommendation
import StageGraph
import TestSupport
import Testing

/// What services answered in a live run, written down and answered again without network and keys.
@Suite("Recorded traffic")
struct TrafficTests {
    /// Keys, tokens and addresses that no tape may have.
    private static let canaries = ["canary-key-71", "canary-token-82", "canary.example/path-93", "canary-secret-64"]

    private static let environment = [
        "KNOT_YELP_KEY": "canary-key-71", "KNOT_TICKETMASTER_KEY": "canary-key-71",
        "KNOT_TICKETMASTER_URL": "https://canary.example/path-93", "KNOT_AMAZON_CLIENT_ID": "canary-key-71",
        "KNOT_AMAZON_CLIENT_SECRET": "canary-secret-64/+", "KNOT_AMAZON_TAG": "example-20",
        "KNOT_SHOPIFY_PROFILE": "https://canary.example/path-93/agent.json", "KNOT_SHOPIFY_KEY": "canary-key-71",
        "KNOT_FIRECRAWL_KEY": "canary-key-71",
    ]

    private func services(_ environment: [String: String], _ sending: @escaping LiveServices.Sending) -> LiveServices {
        LiveServices(
            environment: { environment[$0] },
            zones: ZoneDirectory(),
            now: { Adapters.now },
            sending: sending
        )
    }

    /// Every service as it is, but that it sends back what it was sent.
    private static let echoing: ScriptedSender.Answer = { request in
        let sent = request.sent.filter { !$0.isNewline && $0 != "\"" && $0 != "\\" }
        let header = ("set-cookie", "session=canary-token-82")
        if request.url.hasSuffix("/o2/token") {
            return .json(
                #"{"access_token":"canary-token-82","token_type":"bearer","expires_in":3600,"echo":"\#(sent)"}"#,
                headers: [header]
            )
        }
        var url = request
        url.url = request.url.replacing(
            "canary.example/path-93/events",
            with: "app.ticketmaster.com/discovery/v2/events"
        )
        let reply = try Adapters.reply(url)
        let text = String(decoding: reply.body, as: UTF8.self)
        return .json("{\"echo\":\"\(sent)\"," + text.dropFirst(), headers: [header])
    }

    private func recorded() async throws -> (tape: TrafficTape, found: [ProviderName: [Candidate]]) {
        let environment = Self.environment
        let recorder = TrafficRecorder(try LiveServices.scrubber { environment[$0] })
        let sender = ScriptedSender(Self.echoing)
        let live = services(environment) { recorder.sender($0.capability.name.rawValue, over: sender) }
        try #require(live.all.count == 5)
        let found = try await candidates(of: live)
        #expect(sender.requests.contains { $0.sent.contains("canary-token-82") }, "no token was sent")
        #expect(sender.requests.contains { $0.sent.contains("canary-secret-64") }, "no secret was sent")
        return (try #require(recorder.tape(of: live.settings { environment[$0] }, pages: [])), found)
    }

    private func candidates(of services: LiveServices) async throws -> [ProviderName: [Candidate]] {
        var found: [ProviderName: [Candidate]] = [:]
        for service in services.all {
            found[service.capability.name] = try await service.candidates(for: .invented(service.capability.name))
        }
        return found
    }

    @Test func `brings the same again without keys, however it is written and read`() async throws {
        let (tape, found) = try await recorded()
        let read = try TrafficTape(ndjson: tape.ndjson())
        #expect(read == tape && read.ndjson() == tape.ndjson())
        let player = TrafficPlayer(read, read.scrubber)
        let played = LiveServices(
            environment: { read.variable($0) },
            zones: ZoneDirectory(),
            now: { Adapters.now },
            sending: { player.sender($0.capability.name.rawValue) }
        )
        #expect(played.all.count == 5)
        let again = try await candidates(of: played)
        #expect(again == found && found.values.allSatisfy { !$0.isEmpty })
        #expect(player.missed.isEmpty)
    }

    /// Earlier versions asked for events from the very second on, and nodes asked once more where a service had failed.
    @Test func `of an earlier version brings the same again`() async throws {
        let environment = ["KNOT_TICKETMASTER_KEY": "canary-key-71"]
        let recorder = TrafficRecorder(try LiveServices.scrubber { environment[$0] })
        let sender = EarlierSender(sender: recorder.sender("ticketmaster", over: ScriptedSender(Adapters.reply)))
        let live = services(environment) { _ in sender }
        let found = try await candidates(of: live)
        let new = try #require(recorder.tape(of: live.settings { environment[$0] }, pages: nil))
        #expect(new.isSettled)
        let tape = TrafficTape(services: new.services, pages: nil, entries: new.entries, isSettled: false)
        let player = TrafficPlayer(tape, tape.scrubber)
        let played = LiveServices(
            environment: { tape.variable($0) },
            zones: ZoneDirectory(),
            now: { Adapters.now },
            sending: { player.sender($0.capability.name.rawValue) }
        )
        let again = try await candidates(of: played)
        #expect(again == found && !found.isEmpty && player.missed.isEmpty, "\(player.missed)")
        let broken = Adapters.yelp(ScriptedSender("", status: 503))
        for (provider, isSettled) in [(broken as any CandidateProvider, true), (player.provider(over: broken), false)] {
            let failure = await #expect(throws: StageFailure.self) {
                try await provider.candidates(for: .invented(.yelp))
            }
            #expect(failure?.isSettled == isSettled && failure?.code == "http_503")
        }
        #expect(try TrafficTape(ndjson: tape.ndjson()) == tape)
    }

    @Test func `has no key, token, cookie or configured address, nor the words that were asked`() async throws {
        let text = String(decoding: try await recorded().tape.ndjson(), as: UTF8.self)
        for canary in Self.canaries { #expect(!text.contains(canary), "\(canary)") }
        #expect(!text.contains("set-cookie") && text.contains("{KNOT_YELP_URL}/businesses/search"))
        var lines = 0
        for line in text.split(separator: "\n") {
            let json = try JSONParser.parse(String(line))
            // What the service says is its own; only what it repeats of a query is hidden in it.
            for name in json.object?.names ?? [] where name != "text" {
                for phrase in ["kettle", "quartet"] { #expect(!"\(json[name] ?? .null)".contains(phrase), "\(line)") }
            }
            lines += 1
        }
        #expect(lines > 10)
    }

    /// As Ticketmaster's links to its next page do, in whichever way they are written.
    @Test func `has nothing of a call's query that a service repeats, and neither have replies that are kept`()
        async throws
    {
        let asked = "https://api.example/events?keyword=standing%20potting%20%22bench%22&geoPoint=djudbf&size=50"
        let echoes = [
            "/events?keyword=standing%20potting%20%22bench%22&geoPoint=djudbf{&page}",
            "/events?keyword=standing+potting+%22bench%22&geoPoint=djudbf",
            #"keyword=standing potting \"bench\""#, "geoPoint=djudbf",
        ]
        let reply = HTTPResponse(
            status: 200,
            headers: ["content-type": "application/json"],
            body: Array(#"{"next": "\#(echoes.joined(separator: " "))", "name": "A bench"}"#.utf8)
        )
        let recorder = TrafficRecorder(Scrubber([]))
        let memory = ReplyMemory()
        let terms = KeptReplies.Terms(life: .seconds(60), isGood: { _ in true }, isOutage: { _ in false })
        let sender = ScriptedSender { _ in reply }
        let kept = KeptReplies(sender, in: memory, terms: terms, scrubber: Scrubber([]))
        let recording = recorder.sender("ticketmaster", over: kept)
        #expect(try await recording.send(HTTPRequest(.get, asked), by: LastResort.end).body == reply.body)
        let tape = try #require(recorder.tape(of: [:], pages: nil, about: "v-1"))
        let call = CallSignature(HTTPRequest(.get, asked), Scrubber([])).digest
        let held = memory.reply(to: call)
        let body = try #require(held).reply.body
        for text in [String(decoding: tape.ndjson(), as: UTF8.self), String(decoding: body, as: UTF8.self)] {
            #expect(!text.contains("potting") && !text.contains("djudbf"), "\(text)")
            #expect(text.contains("A bench"))
        }
        // Whoever forgets the vault knows the tape by its first line, as every recording.
        let head = try JSONParser.parse(Array(tape.ndjson().prefix { $0 != 0x0A }))
        #expect(head["subject"]?.string == "v-1")
        #expect(try TrafficTape(ndjson: tape.ndjson()) == tape)
    }

    /// Keys that are part of an address come back in what refuses them.
    @Test func `tells no key by the code of a refusal that repeats it`() async throws {
        let sender = ScriptedSender { request in
            let key = request.url.split(separator: "apikey=").last.map(String.init) ?? ""
            return .json(#"{"fault":{"detail":{"errorcode":"\#(key)"}}}"#, status: 401)
        }
        let scrubber = Scrubber([.init(Adapters.canary, as: "KNOT_TICKETMASTER_KEY", isSecret: true)])
        let adapter = Adapters.ticketmaster(ScrubbedReplies(sender, scrubber))
        let query = ProviderQuery.invented(.ticketmaster, types: adapter.capability.types)
        let failure = await #expect(throws: StageFailure.self) { try await adapter.candidates(for: query) }
        #expect(failure.map { "\($0.code) \($0.detail)" }?.contains("canary") == false)
    }

    /// As whoever tries services of their own on this machine sets them up: one server, and what it has lies there too.
    @Test func `brings the same again where services and their offers lie at one address of this machine`() async throws
    {
        let address = "http://127.0.0.1:9"
        let environment = [
            "KNOT_YELP_KEY": "canary-key-71", "KNOT_YELP_URL": address, "KNOT_TICKETMASTER_KEY": "canary-key-71",
            "KNOT_TICKETMASTER_URL": address,
        ]
        let recorder = TrafficRecorder(try LiveServices.scrubber { environment[$0] })
        let sender = ScriptedSender { request in
            request.url.contains("/businesses/")
                ? .json(Replies.yelp.replacing("https://www.yelp.com", with: address)) : .json(Replies.ticketmaster)
        }
        let live = services(environment) { recorder.sender($0.capability.name.rawValue, over: sender) }
        let found = try await candidates(of: live)
        #expect(found[.yelp]?.first?.url.hasPrefix(address + "/biz/") == true)
        let tape = try #require(recorder.tape(of: live.settings { environment[$0] }, pages: nil))
        let player = TrafficPlayer(tape, tape.scrubber)
        let played = LiveServices(
            environment: { tape.variable($0) },
            zones: ZoneDirectory(),
            now: { Adapters.now },
            sending: { player.sender($0.capability.name.rawValue) }
        )
        #expect(try await candidates(of: played) == found && player.missed.isEmpty, "\(player.missed)")
    }

    @Test func `says which calls it has no answer to`() async throws {
        let (tape, _) = try await recorded()
        let player = TrafficPlayer(tape, tape.scrubber)
        let request = HTTPRequest(.get, "https://api.yelp.com/v3/businesses/search?term=something+else")
        await #expect(throws: HTTPFailure.self) {
            try await player.sender("yelp").send(request, by: .now + .seconds(1))
        }
        #expect(player.missed == ["yelp": 1])
    }

    @Test func `keeps failures, bytes that are no text, addresses, and looks that came to nothing`() throws {
        let failure = StageFailure(.provider, code: "page_timeout", "the page cannot be looked at")
        let tape = TrafficTape(
            services: [.yelp: [:], .amazon: ["KNOT_AMAZON_TAG": "a-20"]],
            pages: ["http://127.0.0.1:80"],
            entries: [
                .call(
                    service: "yelp",
                    digest: "aa",
                    asked: ["GET /x"],
                    .failure(HTTPFailure(.timeout, host: "h", "d"))
                ),
                .call(
                    service: "pages",
                    digest: "bb",
                    asked: [],
                    .reply(TapedReply(status: 200, headers: [:], body: [0xFF, 0, 10], isCut: true, age: 7))
                ),
                .addresses(of: "shop.example", ["93.184.216.34"]), .failedLook(url: "https://x.example/", failure),
                .lateService("shopify"),
            ]
        )
        #expect(try TrafficTape(ndjson: tape.ndjson()) == tape)
    }

    @Test func `is refused where it was cut short at any byte, changed, or is of another kind or version`() async throws
    {
        let whole = try await recorded().tape.ndjson()
        var random = SeededRandom(seed: 20_261_123)
        for _ in 0..<200 {
            let length = Int.random(in: 0..<whole.count, using: &random)
            let error = #expect(throws: SealedLinesError.self) { try TrafficTape(ndjson: Array(whole[..<length])) }
            #expect(error?.code != .corrupt || length == 0, "cut at \(length): \(error?.description ?? "")")
        }
        for _ in 0..<200 {
            var changed = whole
            let place = Int.random(in: 0..<whole.count - 1, using: &random)
            changed[place] = changed[place] == 0x31 ? 0x32 : 0x31
            guard changed != whole else { continue }
            #expect(throws: SealedLinesError.self, "changed at \(place)") { try TrafficTape(ndjson: changed) }
        }
        let text = String(decoding: whole, as: UTF8.self)
        for (name, other) in [("version", "knot.traffic/2"), ("kind", "knot.cassette/1")] {
            let bytes = Array(text.replacing("knot.traffic/1", with: other).utf8)
            let error = #expect(throws: SealedLinesError.self, "\(name)") { try TrafficTape(ndjson: bytes) }
            #expect(error?.code == .foreign && error?.line == 1)
        }
        #expect(throws: SealedLinesError.self) { try TrafficTape(ndjson: []) }
    }

    @Test func `is not made with a key that is too short to be told from other texts`() {
        let error = #expect(throws: LiveServices.ShortSecret.self) {
            try LiveServices.scrubber { $0 == "KNOT_YELP_KEY" ? "abc" : nil }
        }
        #expect(error?.variable == "KNOT_YELP_KEY")
    }
}

/// Sends what earlier versions sent.
private struct EarlierSender: HTTPSender {
    let sender: any HTTPSender

    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        try await sender.send(request.earlierForms.first ?? request, by: deadline)
    }
}
