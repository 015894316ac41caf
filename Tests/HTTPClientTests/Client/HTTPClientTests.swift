import FileInput
import LoopbackServer
import TestSupport
import Testing

@testable import HTTPClient

@Suite("The HTTP client")
struct HTTPClientTests {
    private static var soon: ContinuousClock.Instant { LastResort.end }

    @Test(
        arguments: [
            "http://example.com/", "http://10.0.0.1/", "ftp://127.0.0.1/", "file:///etc/passwd",
            "https://u@example.com/",
            "http://127.1/", "http://[::1", "https://", "", "http://127.0.0.1:0/", "http://127.0.0.1:99999/",
        ]
    )
    func `refuses a URL that is no service's, and sends nothing`(url: String) async throws {
        let client = try HTTPClient()
        let error = await #expect(throws: HTTPFailure.self) {
            try await client.send(HTTPRequest(.get, url), by: Self.soon)
        }
        #expect(error?.kind == .refusedURL)
        #expect(client.counts.calls == 0)
    }

    @Test(
        arguments: [
            HTTPHeader("X-A", "b\r\nX-C: d"), HTTPHeader("X-A", "b\nc"), HTTPHeader("X-A", "b\0c"),
            HTTPHeader("X A", "b"),
            HTTPHeader("X-A:", "b"), HTTPHeader("", "b"), HTTPHeader("Host", "b"), HTTPHeader("Content-Length", "7"),
            HTTPHeader("Transfer-Encoding", "chunked"),
        ]
    )
    func `refuses a header that would make two requests of one`(header: HTTPHeader) async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        defer { server.stop() }
        let client = try HTTPClient()
        let error = await #expect(throws: HTTPFailure.self) {
            try await client.send(HTTPRequest(.get, server.url, headers: [header]), by: Self.soon)
        }
        #expect(error?.kind == .invalidRequest)
        #expect(server.counts == .init())
    }

    @Test func `says that nothing listens`() async throws {
        let port = try LoopbackPort.free()
        let client = try HTTPClient()
        let error = await #expect(throws: HTTPFailure.self) {
            try await client.send(HTTPRequest(.get, "http://127.0.0.1:\(port)/secret?key=canary"), by: Self.soon)
        }
        #expect(error?.kind == .connect && error?.isUnsent == true)
        #expect(error?.description.contains("canary") == false)
    }

    @Test func `ends as soon as its caller gives up`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply([.hang]) }
        defer { server.stop() }
        let client = try HTTPClient()
        let call = Task { () -> HTTPFailure? in
            do throws(HTTPFailure) {
                _ = try await client.send(HTTPRequest(.get, server.url), by: Self.soon)
                return nil
            } catch { return error }
        }
        #expect(await server.hasSeen(requests: 1))
        call.cancel()
        #expect(await call.value?.kind == .cancelled)
        #expect(await server.becomesIdle())
    }

    @Test func `sends nothing for a caller who has given up before`() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        defer { server.stop() }
        let client = try HTTPClient()
        let call = Task { () -> HTTPFailure? in
            while !Task.isCancelled { await Task.yield() }
            do throws(HTTPFailure) {
                _ = try await client.send(HTTPRequest(.get, server.url), by: Self.soon)
                return nil
            } catch { return error }
        }
        call.cancel()
        #expect(await call.value?.kind == .cancelled)
        #expect(server.counts.requests == 0)
    }

    @Test func `fails what is under way when it is closed`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply([.hang]) }
        defer { server.stop() }
        let loop = try #require(TransferLoop(HTTPClient.Options()))
        let url = try HTTPURL(server.url)
        async let outcome = withCheckedContinuation { continuation in
            loop.begin(
                Transfer(
                    HTTPRequest(.get, server.url),
                    to: url,
                    at: nil,
                    deadline: Self.soon,
                    cancellation: Transfer.Cancellation(),
                    continuation: continuation
                )
            )
        }
        #expect(await server.hasSeen(requests: 1))
        loop.stop()
        let result = await outcome
        #expect(throws: HTTPFailure(.unavailable, host: "127.0.0.1", "the client is closed")) { try result.get() }
    }

    @Test func `sends method, headers and body as they are, and nothing of the environment`() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        defer { server.stop() }
        let client = try HTTPClient()
        let body = (0...255).map { UInt8($0) }
        let headers = [HTTPHeader("Authorization", "Bearer ", secret: Secret("key")), HTTPHeader("X-Empty", "")]
        for request in [
            HTTPRequest(.post, server.url + "/a?q=x%20y", headers: headers, body: body),
            HTTPRequest(.get, server.url + "/b"), HTTPRequest(.head, server.url + "/c"),
            HTTPRequest(.post, server.url + "/d"),
        ] {
            _ = try await client.send(request, by: Self.soon)
        }
        let seen = server.requests
        #expect(seen.map { "\($0.method) \($0.target)" } == ["POST /a?q=x%20y", "GET /b", "HEAD /c", "POST /d"])
        #expect(seen[0].body == body)
        #expect(seen[0].header("authorization") == "Bearer key")
        #expect(seen[0].header("x-empty") == "")
        #expect(seen[3].body == [])
        #expect(seen[1].header("user-agent") == "knot-recommend")
        let names = Set(seen[1].headers.map(\.name))
        #expect(names == ["host", "user-agent", "accept", "accept-encoding"])
    }

    @Test func `uses a connection again, and makes one for each of several calls at once`() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        defer { server.stop() }
        let client = try HTTPClient()
        for _ in 0..<20 { _ = try await client.send(HTTPRequest(.get, server.url), by: Self.soon) }
        #expect(server.counts.connections == 1)
        let counts = client.counts
        #expect(counts.calls == 20 && counts.connections == 1 && counts.underWay == 0)
    }

    @Test func `follows no redirect`() async throws {
        let server = try LoopbackServer { .redirect(to: $0.path == "/" ? "/next" : "/") }
        defer { server.stop() }
        let client = try HTTPClient()
        let response = try await client.send(HTTPRequest(.get, server.url), by: Self.soon)
        #expect(response.status == 302 && response.headers["location"] == "/next")
        #expect(server.counts.requests == 1)
    }

    @Test func `decompresses, and cuts a page where only its beginning is wanted`() async throws {
        let page = String(repeating: "0123456789", count: 10_000)
        let server = try LoopbackServer { request in
            request.path == "/page"
                ? .html(page)
                : LoopbackReply([
                    .bytes(LoopbackReply.head(200, [("Content-Encoding", "gzip")])),
                    .bytes(CompressedZeros.beginning + CompressedZeros.unit), .close,
                ])
        }
        defer { server.stop() }
        let client = try HTTPClient()
        let limits = HTTPLimits(bodyBytes: 16 << 10, cutsBody: true)
        let cut = try await client.send(HTTPRequest(.get, server.url + "/page", limits: limits), by: Self.soon)
        #expect(cut.isCut && cut.body == Array(page.utf8.prefix(16 << 10)))
        let bomb = try await client.send(HTTPRequest(.get, server.url + "/zeros", limits: limits), by: Self.soon)
        #expect(bomb.isCut && bomb.body == [UInt8](repeating: 0, count: 16 << 10))
    }

    @Test func `takes bytes that are no text, any status and an answer without a body`() async throws {
        let odd: [UInt8] = [0, 0xFF, 0xFE, 0xED, 0xA0, 0x80]
        let server = try LoopbackServer { LoopbackReply(Int($0.path.dropFirst()) ?? 500, body: odd) }
        defer { server.stop() }
        let client = try HTTPClient()
        for status in [200, 201, 204, 206, 301, 304, 400, 401, 404, 418, 429, 500, 503, 599] {
            let response = try await client.send(HTTPRequest(.get, "\(server.url)/\(status)"), by: Self.soon)
            #expect(response.status == status)
            #expect(response.body == (status == 204 || status == 304 ? [] : odd))
        }
    }

    @Test func `connects to the vetted address whatever the name says, and tries the next one`() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        defer { server.stop() }
        let client = try HTTPClient()
        // Nothing listens there, nor at the first of the addresses.
        let url = "http://127.0.0.77:\(server.port)/"
        let request = HTTPRequest(.get, url, addresses: ["127.0.0.9", "127.0.0.1"])
        #expect(try await client.send(request, by: Self.soon).status == 200)
        #expect(server.requests[0].header("host") == "127.0.0.77:\(server.port)")
        let error = await #expect(throws: HTTPFailure.self) {
            try await client.send(HTTPRequest(.get, url, addresses: []), by: Self.soon)
        }
        #expect(error?.kind == .connect)
        #expect(server.counts.requests == 1)
    }
}
