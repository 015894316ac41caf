import HTTPClient
import LoopbackServer
import Synchronization
import TestSupport
import Testing

@testable import Delivery

/// Each test has a real speaker of HTTP/2 in front of the server.
@Suite("Apple's push service over HTTP/2", .serialized)
struct APNSOverHTTP2Tests {
    private static var soon: ContinuousClock.Instant { LastResort.end }

    /// Hands so many notices over, at most eight at once, and returns how often each result came.
    private func results(_ scene: APNSScene, notices: Int) async -> [String: Int] {
        await withTaskGroup(of: String.self) { group in
            var results: [String: Int] = [:]
            for number in 0..<notices {
                if number >= 8, let result = await group.next() { results[result, default: 0] += 1 }
                group.addTask { await scene.delivery.deliver(.invented(id: "n\(number)"), until: Self.soon).short }
            }
            for await result in group { results[result, default: 0] += 1 }
            return results
        }
    }

    @Test func `many notices share one connection, and come as HTTP/2`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply(200) }
        defer { server.stop() }
        let front = try HTTP2Front(before: server.port)
        let scene = try APNSScene(front.url, authorities: front.authorities)
        #expect(await results(scene, notices: 200) == ["delivered": 200])
        #expect(scene.client.counts.connections == 1)
        #expect(server.requests.allSatisfy { $0.header("via") == "2 nghttpx" })
        #expect(Set(server.requests.map { $0.header("authorization") }).count == 1)
        #expect(Set(server.requests.map { $0.header("apns-id") }).count == 200)
    }

    @Test func `a service that takes one stream at a time gets one at a time`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply(200).after(.milliseconds(2)) }
        defer { server.stop() }
        let front = try HTTP2Front(before: server.port, ["--frontend-http2-max-concurrent-streams=1"])
        let scene = try APNSScene(front.url, authorities: front.authorities)
        #expect(await results(scene, notices: 40) == ["delivered": 40])
    }

    @Test func `a service that says GOAWAY after every few loses no notice`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply(200) }
        defer { server.stop() }
        let front = try HTTP2Front(before: server.port, ["--frontend-max-requests=5"])
        let scene = try APNSScene(front.url, authorities: front.authorities)
        let results = await results(scene, notices: 60)
        // What GOAWAY caught on its way is tried later under the same id; it is never said to have failed for good.
        #expect(results.keys.allSatisfy { ["delivered", "later apns_reset"].contains($0) }, "\(results)")
        #expect(results["delivered", default: 0] >= 40, "\(results)")
        #expect(scene.client.counts.connections >= 5)
    }

    @Test func `one slow answer keeps no other back, and is given up by the deadline`() async throws {
        let server = try LoopbackServer { request in
            request.target.hasSuffix("/510e") ? LoopbackReply([.hang]) : LoopbackReply(200)
        }
        defer { server.stop() }
        let front = try HTTP2Front(before: server.port)
        let scene = try APNSScene(front.url, authorities: front.authorities)
        #expect(await results(scene, notices: 1) == ["delivered": 1])
        async let slow = scene.delivery.deliver(.invented(token: "510e"), until: .now + .milliseconds(800))
        #expect(await results(scene, notices: 20) == ["delivered": 20])
        #expect(await slow.short == "later apns_timeout")
    }

    @Test func `a service that breaks off behind its front is tried later`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply([.reset]) }
        defer { server.stop() }
        let front = try HTTP2Front(before: server.port)
        let scene = try APNSScene(front.url, authorities: front.authorities)
        #expect(await scene.delivery.deliver(.invented(), until: Self.soon).short == "later apns_status_502")
    }

    @Test func `nothing is told to a service that cannot prove its name`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply(200) }
        defer { server.stop() }
        let front = try HTTP2Front(before: server.port)
        let scene = try APNSScene(front.url)
        #expect(await scene.delivery.deliver(.invented(), until: Self.soon).short == "misconfigured apns_tls")
        #expect(server.counts.requests == 0)
    }
}
