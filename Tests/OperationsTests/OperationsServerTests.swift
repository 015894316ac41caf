import HTTPClient
import TestSupport
import Testing

@testable import Operations

@Suite("The server for those who watch")
struct OperationsServerTests {
    private static let local = "Host: 127.0.0.1\r\n"

    private func server(
        _ limits: OperationsConnection.Limits = .init(),
        _ answer: @escaping OperationsServer.Answering = { .text("\($0.method) \($0.path) \($0.query)") }
    ) throws -> OperationsServer {
        try OperationsServer(at: .loopback, limits: limits, answer)
    }

    private func status(_ server: OperationsServer, _ request: String) throws -> String {
        let client = try RawClient(port: server.port)
        client.say(request)
        return String(client.hear().prefix { $0 != "\r\n" })
    }

    private static let heads = [
        ("GET / HTTP/1.1\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421"),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example:80\r\n\r\n", "421"),
        ("GET / HTTP/1.1\r\nHost: [::1].evil\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1:80:80\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1:8o\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: 127.evil.example\r\n\r\n", "421"),
        ("GET / HTTP/1.1\r\nHost: \r\n\r\n", "421"),
        ("GET / HTTP/1.1\r\nHost: localhost:9464\r\n\r\n", "200"),
        ("GET / HTTP/1.1\r\nHost: LocalHost:9464\r\n\r\n", "200"),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.2:9464\r\n\r\n", "200"),
        ("GET / HTTP/1.1\r\nHost: [::1]:9464\r\n\r\n", "200"),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n", "400"),
        ("POST / HTTP/1.1\r\n\(local)\r\n", "405"),
        ("DELETE / HTTP/1.1\r\n\(local)\r\n", "405"),
        ("GET / HTTP/1.1\r\n\(local)Content-Length: 5\r\n\r\nhello", "413"),
        ("GET / HTTP/1.1\r\n\(local)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "413"),
        ("GET http://127.0.0.1/ HTTP/1.1\r\n\(local)\r\n", "400"),
        ("GET  / HTTP/1.1\r\n\(local)\r\n", "400"),
        ("GET / HTTP/2.0\r\n\(local)\r\n", "400"),
        ("GET / HTTP/1.1\r\n\(local)X : y\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\n\(local) folded: y\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\n\(local)X: a\u{0}b\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\n\(local)X: a\nHost: b\r\n\r\n", "400"),
        ("\u{16}\u{3}\u{1}\r\n\r\n", "400"),
        ("GET /" + String(repeating: "a", count: 9_000), "431"),
        ("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 9_000) + "\r\n\r\n", "431"),
    ]

    @Test(arguments: heads.indices)
    func `a head that two could read differently is refused, and so is a strange name`(number: Int) throws {
        let (request, expected) = Self.heads[number]
        let server = try server()
        #expect(try status(server, request).hasPrefix("HTTP/1.1 \(expected) "))
    }

    @Test func `an answer is whole, and no page of it may do anything`() throws {
        let server = try server()
        let client = try RawClient(port: server.port)
        client.say("GET /a?b=c HTTP/1.1\r\n\(Self.local)\r\n")
        // Whoever says nothing more still gets the answer.
        client.finish()
        let heard = client.hear()
        #expect(heard.hasSuffix("\r\n\r\nGET /a b=c"))
        for line in [
            "Content-Length: 10", "Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff",
            "Cache-Control: no-store", "Connection: close", "X-Frame-Options: DENY",
        ] {
            #expect(heard.contains("\r\n\(line)\r\n"), "\(line)")
        }
        let head = try RawClient(port: server.port)
        head.say("HEAD /a?b=c HTTP/1.1\r\n\(Self.local)\r\n")
        let bare = head.hear()
        #expect(bare.hasSuffix("\r\n\r\n") && bare.contains("Content-Length: 11"))
    }

    @Test func `a real client is answered`() async throws {
        let server = try server()
        let client = try HTTPClient()
        for _ in 0..<50 {
            let request = HTTPRequest(.get, "http://127.0.0.1:\(server.port)/livez")
            let response = try await client.send(request, by: LastResort.end)
            #expect(response.status == 200 && String(decoding: response.body, as: UTF8.self) == "GET /livez ")
        }
    }

    @Test func `those who say nothing, however many, keep nobody from being answered`() throws {
        let server = try server()
        var silent: [RawClient] = []
        for number in 0..<200 {
            let client = try RawClient(port: server.port)
            if number % 2 == 0 { client.say("GET / HT") }
            silent.append(client)
            if number % 20 == 19 {
                #expect(try status(server, "GET / HTTP/1.1\r\n\(Self.local)\r\n") == "HTTP/1.1 200 OK")
            }
        }
        // The oldest were ended without a word, since no more are held than so many.
        #expect(silent[0].hear() == "")
    }

    @Test func `whoever takes too long is told so`() throws {
        var limits = OperationsConnection.Limits()
        limits.reading = .milliseconds(50)
        let server = try server(limits)
        let client = try RawClient(port: server.port)
        client.say("GET / HTTP/1.1\r\n")
        #expect(client.hear().hasPrefix("HTTP/1.1 408 "))
    }

    @Test func `a stream gets what is sent after it began, until the server stops`() throws {
        var limits = OperationsConnection.Limits()
        limits.heartbeat = .milliseconds(20)
        let server = try server(limits) { _ in
            OperationsAnswer(type: "text/event-stream", body: Array("data: first\n\n".utf8), isStream: true)
        }
        let client = try RawClient(port: server.port)
        client.say("GET /events HTTP/1.1\r\n\(Self.local)\r\n")
        #expect(client.hear(until: "first\n\n").contains("Content-Type: text/event-stream"))
        server.send(Array("data: second\n\n".utf8))
        #expect(client.hear(until: "second\n\n").contains("data: second"))
        #expect(server.streams == 1)
        #expect(client.hear(until: ":\n\n:\n\n").contains(":\n\n"), "a stream shows that it is alive")
        server.stop()
        #expect(!client.hear().contains("nothing more"))
    }

    @Test func `a port that is taken is named with what to do, and is free after the end`() throws {
        var server: OperationsServer? = try server()
        let port = try #require(server?.port)
        let address = try #require(ListenAddress("127.0.0.1:\(port)"))
        let error = #expect(throws: OperationsServerError.self) { try OperationsServer(at: address) { _ in .notFound } }
        #expect("\(try #require(error))".hasPrefix("127.0.0.1:\(port) cannot be listened at: another program"))
        weak let weakly = server
        let client = try RawClient(port: port)
        server = nil
        #expect(weakly == nil && client.hear() == "")
        // The listener is closed with the connections.
        #expect(throws: RawClient.NoConnection.self) { try RawClient(port: port) }
    }

    @Test(arguments: [
        ("9464", "127.0.0.1:9464"), ("localhost:80", "127.0.0.1:80"), ("[::1]:9464", "[::1]:9464"),
        ("0.0.0.0:1", "0.0.0.0:1"), ("127.0.0.1:0", "127.0.0.1:0"),
    ])
    func `an address is read`(text: String, shown: String) throws {
        let address = try #require(ListenAddress(text))
        #expect("\(address)" == shown)
        #expect(address.isLoopback == !text.hasPrefix("0"))
    }

    @Test(arguments: [
        "", ":", "127.0.0.1", "127.0.0.1:", "::1:80", "1.2.3:4", "a.example:80", "127.0.0.1:70000", "[127.0.0.1]:1",
        "1:2:3", "-1",
    ])
    func `what is no address is none`(text: String) {
        #expect(ListenAddress(text) == nil)
    }
}

@Suite("A connection of that server")
struct OperationsConnectionTests {
    private let start = ContinuousClock.now

    private func connection(
        _ pieces: [[UInt8]],
        _ limits: OperationsConnection.Limits = .init()
    ) -> OperationsConnection {
        var connection = OperationsConnection(limits, at: start)
        for piece in pieces {
            connection.take(piece, at: start) { request throws(OperationsRequest.Refusal) in .text(request.path) }
        }
        return connection
    }

    @Test func `means the same however its bytes arrive, and answers any of them`() {
        let seed: UInt64 = 8_192
        var random = SeededRandom(seed: seed)
        let pieces = ["GET", " ", "/", "a", "HTTP/1.1", "\r\n", "\r", "\n", ":", "Host: x", "\u{0}", "é", "\r\n\r\n"]
        for round in 0..<3_000 {
            var text = Bool.random(using: &random) ? "GET / HTTP/1.1\r\n" : ""
            for _ in 0..<Int.random(in: 0...14, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
            let bytes = Array(text.utf8)
            let whole = connection([bytes])
            let single = connection(bytes.map { [$0] })
            #expect(whole.output == single.output && whole.phase == single.phase, "round \(round) of \(seed): \(text)")
            #expect(text.contains("\r\n\r\n") == (whole.phase == .writing), "round \(round) of \(seed): \(text)")
        }
    }

    @Test func `is over at each of its limits of time`() {
        let limits = OperationsConnection.Limits()
        var silent = connection([])
        silent.look(at: start + limits.reading - .milliseconds(1))
        #expect(silent.phase == .reading)
        silent.look(at: start + limits.reading)
        #expect(silent.phase == .writing, "it is told")
        silent.look(at: start + limits.reading + limits.writing)
        #expect(silent.phase == .over)
        var deaf = connection([Array("GET / HTTP/1.1\r\n\r\n".utf8)])
        deaf.look(at: start + limits.writing)
        #expect(deaf.phase == .over)
        var done = connection([Array("GET / HTTP/1.1\r\n\r\n".utf8)])
        done.sent(done.output.count, at: start)
        #expect(done.phase == .closing)
        done.look(at: start + limits.closing)
        #expect(done.phase == .over)
    }

    @Test func `that streams to a reader who does not read is ended`() {
        var connection = OperationsConnection(.init(), at: start)
        connection.take(Array("GET / HTTP/1.1\r\n\r\n".utf8), at: start) { _ throws(OperationsRequest.Refusal) in
            OperationsAnswer(type: "text/event-stream", body: [], isStream: true)
        }
        var events = 0
        while connection.phase == .streaming, events < 10_000 {
            connection.send([UInt8](repeating: 0x61, count: 1_000))
            events += 1
        }
        #expect(connection.phase == .over && (1_000...1_100).contains(events))
    }
}
