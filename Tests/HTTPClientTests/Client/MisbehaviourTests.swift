import LoopbackServer
import TestSupport
import Testing

@testable import HTTPClient

@Suite("The client, whatever a server does")
struct MisbehaviourTests {
    /// Only what stalls is ended by its deadline; whatever else ends by itself has time on a busy machine.
    private static func patience(with behaviour: Misbehaviour) -> Duration {
        behaviour.kind == .stalls ? .milliseconds(500) : LastResort.limit
    }

    /// The failure of one call, which ends long before the server would.
    private func failure(of behaviour: Misbehaviour) async throws -> HTTPFailure {
        let server = try LoopbackServer { _ in behaviour.reply }
        defer { server.stop() }
        let client = try HTTPClient()
        let deadline = ContinuousClock.now + Self.patience(with: behaviour)
        let error = await #expect(throws: HTTPFailure.self, "\(behaviour)") {
            try await client.send(HTTPRequest(.get, server.url + "/"), by: deadline)
        }
        let late = client.counts.longestOverrun
        #expect(late < .seconds(20), "\(behaviour): \(late) late")
        #expect(await server.becomesIdle(), "\(behaviour) keeps its connection")
        #expect(client.counts.underWay == 0)
        return try #require(error)
    }

    @Test(arguments: Misbehaviour.stalling)
    func `ends by the deadline where nothing more comes`(behaviour: Misbehaviour) async throws {
        #expect(try await failure(of: behaviour).kind == .timeout)
    }

    @Test(arguments: Misbehaviour.breaking)
    func `says that the connection broke`(behaviour: Misbehaviour) async throws {
        let failure = try await failure(of: behaviour)
        #expect(failure.kind == .reset && failure.isTransient, "\(behaviour): \(failure)")
    }

    @Test(arguments: Misbehaviour.flooding)
    func `takes no more than its limits`(behaviour: Misbehaviour) async throws {
        #expect(try await failure(of: behaviour).kind == .tooLarge)
    }

    @Test(arguments: Misbehaviour.lying)
    func `takes nothing that is no answer`(behaviour: Misbehaviour) async throws {
        #expect([.protocolError, .reset].contains(try await failure(of: behaviour).kind))
    }

    @Test func `leaves no socket, thread or memory behind after ten thousand calls`() async throws {
        let bad = Misbehaviour.breaking + Misbehaviour.flooding + Misbehaviour.lying
        // The server is in another process than the client, whose memory alone counts.
        let server = try LoopbackServer(keeping: 0) { request in
            guard let number = Int(request.path.dropFirst()), number % 10 == 0 else { return .json("{}") }
            return bad[number / 10 % bad.count].reply
        }
        defer { server.stop() }
        await #expect(processExitsWith: .success) { [url = server.url as String] in
            // The first calls bring threads, descriptors and heaps of the runtime's own, which stay.
            try await MisbehaviourTests.call(url, times: 2_000)
            let before = ProcessFootprint.now
            try await MisbehaviourTests.call(url, times: 10_000)
            let growth = 32 << 10
            let after = await ProcessFootprint.settled(at: before, growth: growth)
            #expect(after.descriptors <= before.descriptors, "\(before) \(after)")
            #expect(
                after.threads <= before.threads + 4,
                "\(before) \(after): the shared pool has as many as processors"
            )
            #expect(after.residentKiB - before.residentKiB < growth, "\(before) \(after)")
        }
    }

    /// Good answers, and among every ten one of those that end at once.
    private static func call(_ url: String, times: Int) async throws {
        let client = try HTTPClient()
        let answered = await withTaskGroup(of: Int.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var answered = 0
                    for number in stride(from: worker, to: times, by: 8) {
                        let request = HTTPRequest(.get, "\(url)/\(number)")
                        let outcome = try? await client.send(request, by: LastResort.end)
                        answered += outcome == nil ? 0 : 1
                    }
                    return answered
                }
            }
            return await group.reduce(0, +)
        }
        #expect(answered == times / 10 * 9)
    }
}
