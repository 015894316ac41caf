import LoopbackServer
import Testing

/// The server is what other tests stand on, so it is held to its own word with a plain socket.
@Suite("The loopback server")
struct LoopbackServerTests {
    @Test func `waits for nobody once it is stopped`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply([.hang]) }
        let socket = try PlainSocket(port: server.port)
        socket.send("GET / HTTP/1.1\r\n\r\n")
        #expect(await server.hasSeen(requests: 1))
        server.stop()
        #expect(socket.rest() == "")
        #expect(server.openConnections == 0)
    }

    @Test func `answers several requests of one connection, bodies included`() async throws {
        let server = try LoopbackServer { .json("{\"path\": \"\($0.path)\", \"length\": \($0.body.count)}") }
        defer { server.stop() }
        let socket = try PlainSocket(port: server.port)
        let sent = "POST /a?q=x%20y HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\n\r\n"
        socket.send(sent)
        #expect(await server.hasSeen(requests: 2))
        socket.finish()
        let text = socket.rest()
        #expect(text.contains("{\"path\": \"/a\", \"length\": 3}"))
        #expect(text.contains("{\"path\": \"/b\", \"length\": 0}"))
        #expect(server.requests[0].value("q") == "x y")
        #expect(server.counts.connections == 1)
        #expect(server.counts.bytes == sent.utf8.count)
    }
}
