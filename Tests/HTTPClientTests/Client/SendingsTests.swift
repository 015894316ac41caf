import LoopbackServer
import Synchronization
import TestSupport
import Testing
import Threads

@testable import HTTPClient

/// libcurl sends a request again by itself where a connection that it kept ends before the answer.
@Suite("A request, however its connection ends")
struct SendingsTests {
    /// Answers the first request of each connection, and ends it at the second.
    private static func forgetful() throws -> LoopbackServer {
        let seen = Mutex<Set<Int>>([])
        return try LoopbackServer { request in
            seen.withLock { $0.insert(request.connection).inserted } ? .json("{}") : LoopbackReply([.close])
        }
    }

    @Test func `is sent once by a call, and the caller is told that it may have arrived`() async throws {
        let server = try Self.forgetful()
        defer { server.stop() }
        let client = try HTTPClient()
        let request = HTTPRequest(.get, server.url + "/")
        _ = try await client.send(request, by: LastResort.end)
        let error = await #expect(throws: HTTPFailure.self) { try await client.send(request, by: LastResort.end) }
        #expect(error?.kind == .reset && error?.isUnsent == false, "\(String(describing: error))")
        #expect(server.counts.requests == 2 && client.counts.calls == 2)
    }

    @Test func `is charged each time that it may have arrived`() async throws {
        let server = try Self.forgetful()
        defer { server.stop() }
        let folder = try ScratchFolder()
        let ledger = QuotaLedger(at: folder.file("quota"), limit: 100)
        var policy = ServiceChannel.Policy("a.example")
        policy.retry.base = .milliseconds(1)
        let client = try HTTPClient()
        let channel = ServiceChannel(policy, over: client, quota: ledger, timers: DeadlineTimers())
        for _ in 0..<5 { _ = try await channel.send(HTTPRequest(.get, server.url + "/"), by: LastResort.end) }
        let requests = server.counts.requests
        #expect(requests > 5 && channel.counts.attempts == requests && client.counts.calls == requests)
        let now = ServiceClock.system.secondsSince1970()
        #expect(try await ledger.left(at: now, by: LastResort.end) == 100 - requests)
    }

    @Test func `is sent twice where that is wanted, and both are counted`() async throws {
        let server = try Self.forgetful()
        defer { server.stop() }
        let client = try HTTPClient()
        var request = HTTPRequest(.get, server.url + "/")
        request.mostSendings = 2
        for _ in 0..<3 { #expect(try await client.send(request, by: LastResort.end).status == 200) }
        #expect(server.counts.requests == 5 && client.counts.calls == 5)
    }
}
