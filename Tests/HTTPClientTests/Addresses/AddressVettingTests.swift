import Glibc
import LoopbackServer
import Synchronization
import TestSupport
import Testing
import Threads

@testable import HTTPClient

/// A resolver that says what it is told, another thing every time.
private final class ScriptedResolver: NameResolver {
    private let answers: Mutex<[[String]]>
    private let asked = Mutex<[String]>([])

    init(_ answers: [String]...) {
        self.answers = Mutex(answers)
    }

    var names: [String] { asked.withLock { $0 } }

    func addresses(of name: String, by deadline: ContinuousClock.Instant) async throws(HTTPFailure) -> [IPAddress] {
        asked.withLock { $0.append(name) }
        let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] }
        return answer.compactMap { IPAddress($0) }
    }
}

@Suite("A place that a stranger's URL names")
struct AddressVettingTests {
    private static var soon: ContinuousClock.Instant { LastResort.end }

    /// The law: nothing of ours is reached, whichever of its forms a URL has; the listener hears not one byte.
    @Test(arguments: [51, 52] as [UInt64])
    func `is never one of ours`(seed: UInt64) async throws {
        let listener = try LoopbackServer { _ in .json("{}") }
        let other = try LoopbackServer(isIPv6: true) { _ in .json("{}") }
        defer {
            listener.stop()
            other.stop()
        }
        // At worst every name leads here.
        let vetting = AddressVetting(resolver: ScriptedResolver(["127.0.0.1"]), ports: nil)
        let fetcher = PageFetcher(try HTTPClient(), vetting: vetting)
        let urls = HostileURLs.listed + HostileURLs.generated(seed: seed)
        #expect(urls.count >= 300)
        for (number, form) in urls.enumerated() {
            for port in [listener.port, other.port] {
                let url = form.replacing("PORT", with: String(port))
                do throws(HTTPFailure) {
                    let page = try await fetcher.page(.get, url, limits: HTTPLimits(), by: Self.soon)
                    Issue.record("\(url) was reached: \(page.response.status)")
                } catch {
                    #expect(error.kind == .refusedURL, "\(url): \(error)")
                }
            }
            if number % 100 == 0 { await Task.yield() }
        }
        #expect(listener.counts == .init() && other.counts == .init())
    }

    /// The resolver of the C library takes every odd form of an address; whatever it takes, is refused or means the same.
    @Test(arguments: [61, 62, 63] as [UInt64])
    func `is read by us as by the most generous reader, or not at all`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "0", "1", "127", "255", "256", "0x7f", "0177", "10", "2130706433", ".", ".", ".", "", "00", "0xg", "8",
        ]
        for _ in 0..<20_000 {
            let host = (0..<Int.random(in: 1...9, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
            }
            .joined()
            var address = in_addr()
            // The structure outlives the call, which fills it.
            guard unsafe inet_aton(host, &address) != 0 else { continue }
            let read = UInt32(bigEndian: address.s_addr)
            guard let url = try? HTTPURL("https://\(host)/") else { continue }
            #expect(url.host == .address(.v4(read)), "seed \(seed): \(host)")
        }
    }

    @Test func `is left where one of several addresses is ours`() async {
        for mixed in [["93.184.216.34", "127.0.0.1"], ["2606:4700::1111", "::1"], ["10.0.0.1"], ["::ffff:7f00:1"]] {
            let vetting = AddressVetting(resolver: ScriptedResolver(mixed))
            let error = await #expect(throws: HTTPFailure.self) {
                try await vetting.place(of: "https://shop.example.com/", by: Self.soon)
            }
            #expect(error?.kind == .refusedURL)
        }
    }

    @Test func `has another port than that of TLS only where that is allowed`() async throws {
        let resolver = ScriptedResolver(["93.184.216.34"])
        let error = await #expect(throws: HTTPFailure.self) {
            try await AddressVetting(resolver: resolver).place(of: "https://shop.example.com:8443/", by: Self.soon)
        }
        #expect(error?.kind == .refusedURL)
        #expect(resolver.names.isEmpty)
        let place = try await AddressVetting(resolver: resolver, ports: [8_443])
            .place(of: "https://Shop.Example.com:8443/a?b#c", by: Self.soon)
        #expect(place.url.text == "https://shop.example.com:8443/a?b")
        #expect(place.addresses?.map(\.description) == ["93.184.216.34"])
    }

    /// A name that is good when it is looked at and ours when it is connected to: it is connected to what was looked at.
    @Test func `stays the one that was vetted, whatever its name means a moment later`() async throws {
        let listener = try LoopbackServer { _ in .json("{}") }
        defer { listener.stop() }
        let resolver = ScriptedResolver(["192.88.98.1"], ["127.0.0.1"])
        let spy = RequestSpy()
        let fetcher = PageFetcher(spy, vetting: AddressVetting(resolver: resolver, ports: nil))
        _ = try await fetcher.page(
            .get,
            "https://rebind.example.com:\(listener.port)/",
            limits: HTTPLimits(),
            by: Self.soon
        )
        #expect(spy.requests.map(\.addresses) == [["192.88.98.1"]])
        await #expect(throws: HTTPFailure.self) {
            try await fetcher.page(
                .get,
                "https://rebind.example.com:\(listener.port)/",
                limits: HTTPLimits(),
                by: Self.soon
            )
        }
        #expect(resolver.names.count == 2)
        #expect(listener.counts == .init())
    }

    @Test(
        arguments: [
            "http://127.0.0.1:PORT/", "https://127.0.0.1:PORT/", "https://10.0.0.1/", "//localhost:PORT/",
            "/\\localhost:PORT/",
            "javascript:alert(1)", "file:///etc/passwd", "https://[::1]:PORT/",
            "https://good.example.com@127.0.0.1:PORT/",
            "https://0x7f000001:PORT/", "https://metadata.google.internal/", "http://good.example.com/",
            "\\\\127.0.0.1:PORT\\", "https://good.example.com/start",
        ]
    )
    func `is vetted again at every redirect`(location: String) async throws {
        let listener = try LoopbackServer { _ in .json("{}") }
        defer { listener.stop() }
        let target = location.replacing("PORT", with: String(listener.port))
        let spy = RequestSpy { request in
            request.url.hasSuffix("/start")
                ? HTTPResponse(status: 302, headers: ["Location": target]) : HTTPResponse(status: 200)
        }
        let vetting = AddressVetting(resolver: ScriptedResolver(["93.184.216.34"]), ports: nil)
        let error = await #expect(throws: HTTPFailure.self) {
            try await PageFetcher(spy, vetting: vetting)
                .page(.get, "https://good.example.com/start", limits: HTTPLimits(), by: Self.soon)
        }
        #expect(error?.kind == .refusedURL)
        #expect(spy.requests.count == 1)
        #expect(listener.counts == .init())
    }

    /// Whatever a stranger may write as an URL, he may also lead to, from a page that is of the open network.
    @Test(arguments: [53, 54] as [UInt64])
    func `is never one of ours behind a redirect either, whichever of its forms it has`(seed: UInt64) async throws {
        let listener = try LoopbackServer { _ in .json("{}") }
        defer { listener.stop() }
        let urls = HostileURLs.listed + HostileURLs.generated(seed: seed)
        let client = try HTTPClient()
        for form in urls {
            let target = form.replacing("PORT", with: String(listener.port))
            // The first page answers; whatever else is asked is asked in earnest.
            let spy = RequestSpy { _ in HTTPResponse(status: 302, headers: ["Location": target]) }
            let vetting = AddressVetting(resolver: HomeResolver(), ports: nil)
            do throws(HTTPFailure) {
                let sender = FirstBySpy(spy: spy, client: client)
                _ = try await PageFetcher(sender, vetting: vetting)
                    .page(.get, "https://good.example.com/start", limits: HTTPLimits(), by: Self.soon)
                Issue.record("seed \(seed): \(target) was followed")
            } catch {
                #expect(error.kind == .refusedURL, "seed \(seed): \(target): \(error)")
            }
            #expect(spy.requests.count == 1, "seed \(seed): \(target)")
        }
        #expect(listener.counts == .init())
    }

    @Test func `is followed three times and not a fourth time`() async throws {
        let spy = RequestSpy { request in
            let number = request.url.split(separator: "/").last.flatMap { Int($0) } ?? 0
            return number == 0
                ? HTTPResponse(status: 200) : HTTPResponse(status: 307, headers: ["Location": "\(number - 1)"])
        }
        let fetcher = PageFetcher(spy, vetting: AddressVetting(resolver: ScriptedResolver(["93.184.216.34"])))
        let page = try await fetcher.page(.head, "https://a.example.com/x/3", limits: HTTPLimits(), by: Self.soon)
        #expect(page.hops == 3 && page.url.text == "https://a.example.com/x/0")
        #expect(spy.requests.allSatisfy { $0.method == .head && $0.addresses == ["93.184.216.34"] })
        await #expect(throws: HTTPFailure.self) {
            try await fetcher.page(.head, "https://a.example.com/x/4", limits: HTTPLimits(), by: Self.soon)
        }
    }

    @Test func `is resolved by the system, which leaves nothing waiting beyond its time`() async throws {
        let resolver = SystemResolver(timers: DeadlineTimers())
        let found = try await resolver.addresses(of: "localhost", by: Self.soon)
        #expect(!found.isEmpty && found.allSatisfy(\.isLoopback))
        let none = SystemResolver(timers: DeadlineTimers(), most: 0)
        let error = await #expect(throws: HTTPFailure.self) {
            try await none.addresses(of: "localhost", by: Self.soon)
        }
        #expect(error?.kind == .overloaded)
    }

    @Test func `is of the open network up to the edges of every range`() {
        for range in HostileURLs.ranges {
            let last = range.network | (UInt32.max >> UInt32(range.length))
            #expect(!IPAddress.v4(range.network).isOfOpenNetwork && !IPAddress.v4(last).isOfOpenNetwork)
        }
        let open = [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.88.98.255", "192.88.100.0",
            "192.167.255.255", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
            "2606:4700:4700::1111", "2a00:1450:4001::1", "2001:200::1", "2003::1",
        ]
        for text in open { #expect(IPAddress(text)?.isOfOpenNetwork == true, "\(text)") }
    }
}

/// A resolver to which one name is of the open network, and every other one leads here.
private struct HomeResolver: NameResolver {
    func addresses(of name: String, by deadline: ContinuousClock.Instant) async throws(HTTPFailure) -> [IPAddress] {
        [IPAddress(name == "good.example.com" ? "93.184.216.34" : "127.0.0.1")].compactMap { $0 }
    }
}

/// A sender whose first request is the spy's; the others are sent.
private struct FirstBySpy: HTTPSender {
    let spy: RequestSpy
    let client: HTTPClient

    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        try await spy.requests.isEmpty ? spy.send(request, by: deadline) : client.send(request, by: deadline)
    }
}

/// A sender that sends nothing, and notes what it was to send.
private final class RequestSpy: HTTPSender {
    private let seen = Mutex<[HTTPRequest]>([])
    private let answer: @Sendable (HTTPRequest) -> HTTPResponse

    init(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse = { _ in HTTPResponse(status: 200) }) {
        self.answer = answer
    }

    var requests: [HTTPRequest] { seen.withLock { $0 } }

    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        seen.withLock { $0.append(request) }
        return answer(request)
    }
}
