import HTTPClient
import KnotDomain
import LoopbackServer
import Recommendation
import StageGraph
import TestSupport
import Testing
import Threads

@testable import LiveProviders

@Suite("A look at an item's page")
struct PageProbeTests {
    private static let inStock = """
        <script type="application/ld+json">{"@type":"Product","offers":
        {"@type":"Offer","availability":"InStock","price":"20.00","priceCurrency":"USD"}}</script>
        """

    private struct Shop {
        let server: LoopbackServer
        let client: HTTPClient
        let probe: PageProbe
        let memory = PageMemory()

        init(
            limits: PageProbe.Limits = .quick,
            isTrusted: Bool = true,
            clock: ServiceClock = .system,
            _ answer: @escaping LoopbackServer.Answer
        ) throws {
            server = try LoopbackServer(answer)
            let vetting = AddressVetting(
                resolver: SystemResolver(timers: DeadlineTimers()),
                trusted: isTrusted ? ["http://127.0.0.1:\(server.port)"] : [],
                ports: nil
            )
            client = try HTTPClient()
            let fetcher = PageFetcher(client, vetting: vetting)
            probe = PageProbe(fetcher, limits: limits, memory: memory, timers: DeadlineTimers(), clock: clock)
        }

        func look(_ path: String = "/teapot") async throws -> AvailabilityProbe {
            try await probe.probe(.at(server.url + path))
        }
    }

    @Test func `spares no host in a recording, whatever it asked for then`() async throws {
        for sparesHosts in [true, false] {
            var limits = PageProbe.Limits.quick
            limits.sparesHosts = sparesHosts
            let shop = try Shop(limits: limits) { _ in .html("slower", status: 429) }
            defer { shop.server.stop() }
            _ = try await shop.look("/a")
            // A minute is left alone where nothing else is asked for.
            let second = try? await shop.look("/b")
            #expect((second?.status == 429) != sparesHosts)
        }
    }

    @Test(arguments: [403, 404, 410, 451, 500, 502] as [Int])
    func `has the status of a page that is not there or not shown`(status: Int) async throws {
        let shop = try Shop { _ in .html("sold out", status: status) }
        defer { shop.server.stop() }
        #expect(try await shop.look() == AvailabilityProbe(status: status, signal: .none, price: .notLooked))
    }

    @Test func `asks by HEAD and then for sixteen kilobytes, and reads no more`() async throws {
        let filler = String(repeating: "x", count: 16 << 10)
        let shop = try Shop { request in
            request.path == "/late" ? .html(filler + Self.inStock) : .html(Self.inStock + filler)
        }
        defer { shop.server.stop() }
        #expect(try await shop.look() == AvailabilityProbe(status: 200, signal: .inStock, price: .minorUnits(2_000)))
        #expect(shop.server.requests.map(\.method) == ["HEAD", "GET"])
        #expect(shop.server.requests[1].header("range") == "bytes=0-16383")
        #expect(shop.server.requests.allSatisfy { $0.header("cookie") == nil && $0.header("authorization") == nil })
        #expect(try await shop.look("/late").signal == .none)
    }

    @Test func `believes GET where HEAD says something else`() async throws {
        let shop = try Shop { request in
            request.method == "HEAD" ? LoopbackReply(405) : .html(Self.inStock, status: 206)
        }
        defer { shop.server.stop() }
        #expect(try await shop.look().signal == .inStock)
    }

    @Test func `takes a page that says that it is missing for missing, and a wall for nothing`() async throws {
        let shop = try Shop { request in
            request.path == "/missing"
                ? .html("<title>Page not found</title>") : .html("<title>Just a moment...</title>")
        }
        defer { shop.server.stop() }
        #expect(try await shop.look("/missing").status == 404)
        #expect(try await shop.look("/wall") == AvailabilityProbe(status: nil, signal: .none, price: .notLooked))
    }

    @Test func `knows nothing of a page whose header leads elsewhere, nor of one that is put off`() async throws {
        let shop = try Shop { request in
            switch request.path {
            case "/led": .html(Self.inStock, headers: [("Refresh", "0; url=/")])
            case "/again": .html(Self.inStock, headers: [("Refresh", "30")])
            default: .html(Self.inStock, status: 202)
            }
        }
        defer { shop.server.stop() }
        #expect(try await shop.look("/led").status == nil)
        #expect(try await shop.look("/again").signal == .inStock)
        #expect(try await shop.look("/later").status == nil)
    }

    @Test func `follows an item that has moved, and knows nothing of one that leads to the front door`() async throws {
        let shop = try Shop { request in
            switch request.path {
            case "/old": .redirect(to: "/new")
            case "/new": .html(Self.inStock)
            case "/lost": .redirect(to: "/")
            default: .html("<title>Our shop</title>")
            }
        }
        defer { shop.server.stop() }
        #expect(try await shop.look("/old").signal == .inStock)
        #expect(try await shop.look("/lost").status == nil)
    }

    @Test func `knows nothing of an item that leads to another, whatever that one is and costs`() async throws {
        func product(_ name: String, _ state: String) -> String {
            let offer = #"{"@type":"Offer","availability":"\#(state)","price":"55.00","priceCurrency":"USD"}"#
            let data = #"{"@type":"Product","name":"\#(name)","url":"/p/other-thing","offers":\#(offer)}"#
            return "<title>\(name) | Shop</title><script type='application/ld+json'>\(data)</script><h1>\(name)</h1>"
        }
        let pages: [(from: String, to: String, page: String, signal: AvailabilityProbe.Signal?)] = [
            ("/p/a1", "/p/other-thing", product("Milk jug", "OutOfStock"), nil),
            ("/p/a1", "/p/other-thing", product("Milk jug", "InStock"), nil),
            ("/p/a1", "/p/other-thing", "<title>Milk jug</title><p>Sold out</p>", nil),
            ("/p/a1", "/p/other-thing", "<title>Milk jug</title><button>Add to cart</button>", nil),
            // Under its own name, or at an address that holds the old one.
            ("/p/a1", "/p/other-thing", product("Brown Teapot", "OutOfStock"), .outOfStock),
            ("/p/a1", "/en/p/a1-milk-jug", product("Milk jug", "OutOfStock"), .outOfStock),
            ("/p/a1", "/p/a1/?ref=2", product("Milk jug", "InStock"), .inStock),
        ]
        for (from, to, page, signal) in pages {
            let shop = try Shop { $0.path == from ? .redirect(to: to, status: 301) : .html(page) }
            defer { shop.server.stop() }
            let probe = try await shop.look(from)
            #expect(probe.status == (signal == nil ? nil : 200) && probe.signal == signal ?? .none, "\(to) \(page)")
            if signal == nil { #expect(probe.price == .notLooked) }
        }
    }

    @Test(
        arguments: [
            "/", "/?ref=404", "/en/", "/de-ch/index.html", "/collections/all", "/collections/bowls", "/404",
            "/account/login?return=/teapot", "/search?q=teapot", "/errors/gone",
        ]
    )
    func `knows nothing of an item whose page leads to another kind of place, whatever is said there`(
        to: String
    ) async throws {
        let pages = [
            Self.inStock, "<h1>Shop</h1><p>Sold out</p>", "<title>Shop</title><button>Add to cart</button>",
        ]
        for page in pages {
            let shop = try Shop { $0.path == "/teapot" ? .redirect(to: to, status: 301) : .html(page) }
            defer { shop.server.stop() }
            #expect(try await shop.look().status == nil)
        }
    }

    @Test(arguments: [200, 204, 300, 302, 304])
    func `knows nothing of a page that is not shown, and of one that leads on without saying where`(
        status: Int
    ) async throws {
        let shop = try Shop { _ in LoopbackReply(status, headers: [("Content-Type", "text/html")]) }
        defer { shop.server.stop() }
        #expect(try await shop.look().status == nil)
    }

    /// Whatever becomes of HEAD: some servers hang up, some never answer, some say it is something else.
    @Test func `asks by GET where HEAD fails, leads elsewhere, or says that it is no page`() async throws {
        let gone = Self.inStock.replacing("InStock", with: "SoldOut")
        var limits = PageProbe.Limits.quick
        limits.total = .seconds(2)
        let heads = [
            LoopbackReply([.close]), LoopbackReply([.pause(.seconds(30))]), .redirect(to: "/login"),
            LoopbackReply(200, headers: [("Content-Type", "application/octet-stream")]),
        ]
        for (number, head) in heads.enumerated() {
            let shop = try Shop(limits: limits) { $0.method == "HEAD" ? head : .html(gone) }
            defer { shop.server.stop() }
            #expect(try await shop.look().signal == .outOfStock, "\(number)")
        }
    }

    @Test func `reads a page that comes compressed although plain bytes were asked for`() async throws {
        let gone = Self.inStock.replacing("InStock", with: "SoldOut")
        let shop = try Shop { request in
            request.method == "HEAD" ? LoopbackReply(200) : .gzipped(gone)
        }
        defer { shop.server.stop() }
        #expect(try await shop.look().signal == .outOfStock)
        #expect(shop.server.requests.last?.header("accept-encoding") == "identity")
    }

    @Test(arguments: ["/circle", "/far", "/private"])
    func `knows nothing of a page that leads where it may not look`(path: String) async throws {
        let target = try LoopbackServer { _ in .html(Self.inStock) }
        defer { target.stop() }
        let shop = try Shop { request in
            switch request.path {
            case "/circle": .redirect(to: "/circle")
            case "/private": .redirect(to: "http://127.0.0.1:\(target.port)/")
            default: .redirect(to: request.path + "r")
            }
        }
        defer { shop.server.stop() }
        let failure = await #expect(throws: StageFailure.self) { try await shop.look(path) }
        #expect(failure?.code == "page_refused_url")
        #expect(target.counts == .init())
    }

    private struct HomeNames: NameResolver {
        func addresses(of name: String, by deadline: ContinuousClock.Instant) async throws(HTTPFailure) -> [IPAddress] {
            ["93.184.216.34", "10.0.0.7"].compactMap { IPAddress($0) }
        }
    }

    /// A page that nobody can reach but in the reader's own network is no gift's.
    @Test func `finds that a link misleads whose host resolves to a private address`() async throws {
        let fetcher = PageFetcher(try HTTPClient(), vetting: AddressVetting(resolver: HomeNames()))
        let probe = PageProbe(fetcher, limits: .quick, timers: DeadlineTimers())
        for url in ["https://lamps.example/a", "https://10.0.0.7/a", "https://nas.local/a"] {
            for _ in 1...2 { #expect(try await probe.probe(.at(url)).signal == .misleading, "\(url)") }
        }
    }

    @Test func `never looks at a page of ours that nobody trusted`() async throws {
        let shop = try Shop(isTrusted: false) { _ in .html(Self.inStock) }
        defer { shop.server.stop() }
        let failure = await #expect(throws: StageFailure.self) { try await shop.look() }
        #expect(failure?.code == "page_refused_url")
        #expect(shop.server.counts == .init())
    }

    @Test func `ends by its time, whatever the page does, and asks it no second time`() async throws {
        var limits = PageProbe.Limits.quick
        limits.total = .milliseconds(300)
        for behaviour in Misbehaviour.stalling {
            let shop = try Shop(limits: limits) { $0.method == "HEAD" ? LoopbackReply(200) : behaviour.reply }
            defer { shop.server.stop() }
            var failure: StageFailure?
            repeat {
                failure = await #expect(throws: StageFailure.self, "\(behaviour)") { try await shop.look() }
                // A busy machine may take the whole time before anything is asked, which is nothing to remember.
            } while failure?.code == "page_overloaded"
            let late = shop.client.counts.longestOverrun
            #expect(late < .seconds(20), "\(behaviour): \(late) late")
            // What was sent in the last moment may be read after the client has given up.
            #expect(await shop.server.becomesIdle(), "\(behaviour) keeps its connection")
            let requests = shop.server.counts.requests
            #expect(try await shop.look().status == nil)
            #expect(shop.server.counts.requests == requests)
        }
    }

    @Test func `remembers what it saw, for a day or for an hour`() async throws {
        let shop = try Shop { _ in .html(Self.inStock) }
        defer { shop.server.stop() }
        let first = try await shop.look()
        #expect(try await shop.look() == first)
        #expect(shop.server.counts.requests == 2)
        let key = PageMemory.Key(.at(shop.server.url + "/teapot"))
        #expect(shop.memory.finding(key, at: .now + .seconds(86_000)) == first)
        #expect(shop.memory.finding(key, at: .now + .seconds(86_401)) == nil)
    }

    @Test func `leaves a host alone that asks for it`() async throws {
        let shop = try Shop { _ in LoopbackReply(429, headers: [("Retry-After", "120")]) }
        defer { shop.server.stop() }
        #expect(try await shop.look("/one").status == 429)
        let failure = await #expect(throws: StageFailure.self) { try await shop.look("/two") }
        #expect(failure?.code == "page_overloaded")
        #expect(shop.server.counts.requests == 1)
    }

    @Test func `gives each host its turns a second apart, and no turn after the deadline`() {
        let memory = PageMemory()
        let now = ContinuousClock.now
        func turn(_ host: String, within patience: Duration) -> Duration? {
            memory.turn(at: host, now: now, spacing: .seconds(1), by: now + patience).map { now.duration(to: $0) }
        }
        #expect(turn("a.example", within: .seconds(5)) == .zero)
        #expect(turn("a.example", within: .seconds(5)) == .seconds(1))
        #expect(turn("b.example", within: .seconds(5)) == .zero)
        #expect(turn("a.example", within: .seconds(2)) == nil)
        #expect(turn("a.example", within: .seconds(5)) == .seconds(2))
    }

    @Test func `gives pages the turns that they were promised in their order, whoever comes first`() {
        let memory = PageMemory()
        let now = ContinuousClock.now
        let keys = (0..<4).map { PageMemory.Key(url: "https://a.example/\($0)", currency: .usd) }
        memory.promise(keys.map { ("a.example", $0) }, now: now, spacing: .seconds(1), by: now + .seconds(3))
        func turn(_ number: Int, after wait: Duration = .zero) -> Duration? {
            memory.turn(
                at: "a.example",
                of: keys[number],
                now: now + wait,
                spacing: .seconds(1),
                by: now + .seconds(9)
            ).map { now.duration(to: $0) }
        }
        #expect([2, 0, 3].map { turn($0) } == [.seconds(2), .zero, .seconds(3)])
        #expect(turn(0) == .seconds(4), "a promise is kept once")
        #expect(turn(1, after: .seconds(2)) == .seconds(5), "nobody comes back for a turn that is over")
    }

    /// Time stands still, and turns come at once: the last would begin when hardly any time is left.
    @Test func `looks at the most wanted whoever comes first, and begins no look at the end of its time`() async throws
    {
        let now = ContinuousClock.now
        let clock = ServiceClock(now: { now }, secondsSince1970: { 0 }, random: { 0 }, pause: { _ in true })
        var limits = PageProbe.Limits()
        (limits.total, limits.spacing) = (.seconds(30), .seconds(14))
        let shop = try Shop(limits: limits, clock: clock) { _ in .html("<h1>Teapot</h1>") }
        defer { shop.server.stop() }
        shop.probe.expects(["/1", "/2", "/3"].map { .at(shop.server.url + $0) })
        let failure = await #expect(throws: StageFailure.self) { try await shop.look("/3") }
        #expect(failure?.code == "page_overloaded")
        #expect(try await shop.look("/2").status == 200)
        #expect(try await shop.look("/1").status == 200)
    }

    @Test func `keeps a bounded number of findings, those that are good for longest`() {
        let memory = PageMemory(most: 100)
        let now = ContinuousClock.now
        for number in 0..<1_000 {
            let key = PageMemory.Key(url: "https://a.example/\(number)", currency: .usd)
            memory.keep(
                AvailabilityProbe(status: 200, signal: .none, price: .notLooked),
                of: key,
                until: now + .seconds(number)
            )
            #expect(memory.count <= 100)
        }
        #expect(memory.finding(.init(url: "https://a.example/999", currency: .usd), at: now) != nil)
        #expect(memory.finding(.init(url: "https://a.example/1", currency: .usd), at: now) == nil)
    }
}

extension PageProbe.Limits {
    /// Without the second between two looks at one host, which all tests' hosts are.
    fileprivate static var quick: Self {
        var limits = Self()
        limits.spacing = .zero
        return limits
    }
}

extension Candidate {
    fileprivate static func at(_ url: String) -> Candidate {
        Candidate.invented("teapot", "Teapot", url: url)
    }
}

extension LoopbackReply {
    /// A page in one block of gzip that is only stored, as everything is that has no more than 65,535 bytes.
    fileprivate static func gzipped(_ page: String) -> LoopbackReply {
        let bytes = Array(page.utf8)
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        func littleEndian(_ value: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let count = UInt32(bytes.count)
        let block = [1] + littleEndian(count, 2) + littleEndian(~count, 2) + bytes
        return LoopbackReply(
            headers: [("Content-Encoding", "gzip"), ("Content-Type", "text/html")],
            body: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + block + littleEndian(~sum, 4) + littleEndian(count, 4)
        )
    }
}
