import FileInput
import HTTPClient
import JSONDocument
import LoopbackServer
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Delivery

@Suite("The webhook")
struct WebhookDeliveryTests {
    private static let key = "a key of sixteen bytes and more"
    private static let other = "the key that comes after that one"
    private static let time: Int64 = 1_795_320_000

    private func delivery(_ url: String, keys: [String] = [key], isPrivate: Bool = true) throws -> WebhookDelivery {
        let url = try HTTPURL(url)
        return WebhookDelivery(
            .init(url: url, keys: keys.map { Secret($0) }),
            sender: try HTTPClient(),
            vetting: AddressVetting(
                resolver: SystemResolver(timers: DeadlineTimers()),
                trusted: isPrivate ? [url.origin] : [],
                ports: nil
            ),
            now: { Self.time }
        )
    }

    /// What becomes of a notice where the server answers that.
    private func result(
        of reply: LoopbackReply,
        within patience: Duration = .seconds(30)
    ) async throws -> DeliveryResult {
        let server = try LoopbackServer { _ in reply }
        defer { server.stop() }
        return await (try delivery(server.url + "/hook")).deliver(.invented(), until: .now + patience)
    }

    @Test func `each status means what the table says`() async throws {
        let special: [Int: String] = [
            401: "misconfigured", 403: "misconfigured", 404: "misconfigured", 407: "misconfigured",
            410: "misconfigured", 421: "misconfigured", 408: "later", 425: "later", 429: "later",
        ]
        let statuses = Array(200...226) + Array(300...308) + Array(400...431) + [451] + Array(500...511) + [599]
        let next = Mutex(200)
        let server = try LoopbackServer { _ in LoopbackReply(next.withLock { $0 }) }
        defer { server.stop() }
        for status in statuses {
            next.withLock { $0 = status }
            let delivery = try delivery(server.url + "/hook")
            let result = await delivery.deliver(.invented(), until: LastResort.end)
            let expected =
                switch status {
                case 200..<300: "delivered"
                case 300..<400: "misconfigured"
                case 500...: "later"
                default: special[status] ?? "later"
                }
            #expect(result.short == (expected == "delivered" ? expected : "\(expected) webhook_status_\(status)"))
            #expect(expected == "delivered" || result.detail.contains("127.0.0.1 answered \(status)"))
        }
        #expect(server.counts.requests == statuses.count, "nothing is sent twice, and no redirect followed")
    }

    @Test func `a refusal is final once others were accepted since`() async throws {
        let server = try LoopbackServer { request in LoopbackReply(request.header("knot-id") == "bad" ? 422 : 200) }
        defer { server.stop() }
        let delivery = try delivery(server.url)
        func short(_ id: String) async -> String {
            await delivery.deliver(.invented(id: id), until: LastResort.end).short
        }
        #expect(await short("good") == "delivered")
        // A notice that comes first in an outage is not to blame for it.
        for _ in 0..<2 { #expect(await short("bad") == "later webhook_status_422") }
        #expect(await short("another") == "delivered")
        #expect(await short("bad") == "refused webhook_status_422")
    }

    @Test(arguments: [400, 405, 409, 415, 422, 426])
    func `refusals in a row keep all others from being tried for a while, and none is lost`(status: Int) async throws {
        let server = try LoopbackServer { _ in LoopbackReply(status) }
        defer { server.stop() }
        let delivery = try delivery(server.url)
        var results: [DeliveryResult] = []
        for number in 0..<40 {
            results.append(await delivery.deliver(.invented(id: "n\(number)"), until: LastResort.end))
        }
        #expect(server.counts.requests == 5)
        #expect(results.prefix(5).allSatisfy { $0.short == "later webhook_status_\(status)" })
        #expect(results.dropFirst(5).allSatisfy { $0.short == "later webhook_breaker_open" })
        #expect(results.dropFirst(5).allSatisfy { $0.wait.map { (.zero)...(.seconds(60)) ~= $0 } ?? false })
    }

    @Test func `a conflict means that a notice which was sent before has arrived, and nothing of a new one`()
        async throws
    {
        let server = try LoopbackServer { _ in LoopbackReply(409) }
        defer { server.stop() }
        let delivery = try delivery(server.url)
        let known = Notice.invented(isRepeated: true)
        #expect(await delivery.deliver(known, until: LastResort.end).short == "delivered")
        #expect(await delivery.deliver(.invented(), until: LastResort.end).short == "later webhook_status_409")
    }

    @Test(arguments: [
        ("120", Duration.seconds(120)), ("0", .zero), ("999999", .seconds(3_600)),
        ("Sun, 22 Nov 2026 04:10:00 GMT", .seconds(600)), ("Sun, 06 Nov 1994 08:49:37 GMT", .zero),
        ("Fri, 31 Dec 2099 23:59:59 GMT", .seconds(3_600)), ("-1", nil), ("soon", nil), ("", nil),
    ])
    func `a wait that is asked for is kept, within an hour`(header: String, wait: Duration?) async throws {
        let result = try await result(of: LoopbackReply(503, headers: [("Retry-After", header)]))
        #expect(result.short == "later webhook_status_503" && result.wait == wait)
    }

    @Test func `openssl finds the same codes, one for each key`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply(202) }
        defer { server.stop() }
        let delivery = try delivery(server.url + "/hook?for=knot", keys: [Self.key, Self.other])
        for body in ["Ideas: Pottery class", "日本 \"quoted\" \\ 👩‍👩‍👧"] {
            _ = await delivery.deliver(.invented(body: body), until: LastResort.end)
        }
        #expect(server.requests.count == 2)
        for request in server.requests {
            #expect(request.method == "POST" && request.target == "/hook?for=knot")
            #expect(request.header("content-type") == "application/json")
            #expect(request.header("knot-id") == "3f2c8d1e-0a4b-4c5d-8e6f-112233445566")
            #expect(request.header("knot-timestamp") == "1795320000")
            let signed = Array("1795320000.".utf8) + request.body
            let codes = try [Self.key, Self.other].map { "v1=\(try OpenSSL.hmac(of: signed, key: $0))" }
            #expect(request.header("knot-signature") == codes.joined(separator: ","))
            #expect(try JSONParser.parse(request.body) == NoticeDocument.json(.invented(body: body(of: request))))
        }
    }

    private func body(of request: LoopbackRequest) throws -> String {
        try #require(try JSONParser.parse(request.body)["body"]?.string)
    }

    @Test func `an id that no header can hold is written otherwise`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply(200) }
        defer { server.stop() }
        let notice = Notice.invented(id: "a\r\nEvil: 1 é")
        #expect(await (try delivery(server.url)).deliver(notice, until: LastResort.end).short == "delivered")
        #expect(server.requests.first?.header("knot-id") == "a%0D%0AEvil%3A%201%20%C3%A9")
        #expect(server.requests.first?.header("evil") == nil)
    }

    @Test func `a redirect leads nowhere`() async throws {
        let elsewhere = try LoopbackServer { _ in LoopbackReply(200) }
        defer { elsewhere.stop() }
        for status in [301, 302, 303, 307, 308] {
            let result = try await result(of: .redirect(to: elsewhere.url + "/", status: status))
            #expect(result.short == "misconfigured webhook_status_\(status)")
        }
        #expect(elsewhere.counts.connections == 0)
    }

    @Test func `nothing of our own network is called unless that is allowed`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply(200) }
        defer { server.stop() }
        let addresses = [
            server.url, "https://127.0.0.1:\(server.port)", "https://localhost:\(server.port)",
            "https://[::1]:\(server.port)", "https://10.0.0.7", "https://169.254.169.254/latest",
            "https://metadata.internal",
        ]
        for address in addresses {
            let result = await (try delivery(address, isPrivate: false)).deliver(
                .invented(),
                until: LastResort.end
            )
            #expect(result.short == "misconfigured webhook_refused_url", "\(address)")
        }
        #expect(server.counts.connections == 0)
    }

    /// What a name stands for, as it is told.
    private struct Names: NameResolver {
        let addresses: [IPAddress]

        func addresses(of name: String, by deadline: ContinuousClock.Instant) async throws(HTTPFailure) -> [IPAddress] {
            addresses
        }
    }

    /// Keeps what would be sent, and sends nothing: the open network is none of a test's.
    private final class KeptRequests: HTTPSender {
        let all = Mutex<[HTTPRequest]>([])

        func send(
            _ request: HTTPRequest,
            by deadline: ContinuousClock.Instant
        ) async throws(HTTPFailure) -> HTTPResponse {
            all.withLock { $0.append(request) }
            return HTTPResponse(status: 204)
        }
    }

    @Test(arguments: [
        (["93.184.216.34", "2606:2800:220:1:0:0:0:7"], "delivered"),
        (["93.184.216.34", "10.0.0.7"], "misconfigured webhook_refused_url"),
        (["127.0.0.1"], "misconfigured webhook_refused_url"),
        ([], "later webhook_connect"),
    ])
    func `only the addresses that were looked at are connected to`(texts: [String], expected: String) async throws {
        let kept = KeptRequests()
        let delivery = WebhookDelivery(
            .init(url: try HTTPURL("https://hooks.example:8443/knot"), keys: [Secret(Self.key)]),
            sender: kept,
            vetting: AddressVetting(resolver: Names(addresses: texts.compactMap { IPAddress($0) }), ports: nil)
        )
        #expect(await delivery.deliver(.invented(), until: LastResort.end).short == expected)
        let requests = kept.all.withLock { $0 }
        #expect(requests.map(\.addresses) == (expected == "delivered" ? [texts] : []))
    }

    @Test(arguments: Misbehaviour.stalling + Misbehaviour.breaking)
    func `what comes to no answer is tried later, by the deadline`(behaviour: Misbehaviour) async throws {
        let result = try await result(of: behaviour.reply, within: .milliseconds(400))
        #expect(["later webhook_timeout", "later webhook_reset"].contains(result.short), "\(behaviour)")
    }

    @Test(arguments: Misbehaviour.flooding + Misbehaviour.lying)
    func `an answer without end or sense does no harm`(behaviour: Misbehaviour) async throws {
        let result = try await result(of: behaviour.reply, within: LastResort.limit)
        // A long body after a good status is cut and has said enough.
        let all = ["delivered", "later webhook_too_large", "later webhook_protocol_error", "later webhook_reset"]
        #expect(all.contains(result.short), "\(behaviour): \(result)")
    }

    @Test func `nobody who listens is tried later`() async throws {
        let url = "http://127.0.0.1:\(try LoopbackPort.free())"
        let result = await (try delivery(url)).deliver(.invented(), until: LastResort.end)
        #expect(result.short == "later webhook_connect")
    }

    @Test func `a key is in no text of a delivery or a result`() async throws {
        let delivery = try delivery("http://127.0.0.1:\(try LoopbackPort.free())", keys: [Self.key, Self.other])
        var shown = "\(delivery)"
        dump(delivery, to: &shown)
        dump(await delivery.deliver(.invented(), until: LastResort.end), to: &shown)
        #expect(shown.contains("webhook") && !shown.contains(Self.key) && !shown.contains(Self.other))
    }
}
