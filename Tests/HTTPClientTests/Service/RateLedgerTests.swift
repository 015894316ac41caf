import Synchronization
import TestSupport
import Testing
import Threads

@testable import HTTPClient

/// Several processes of a machine, each with its own channel, are one to a service.
@Suite("A pace that processes share")
struct RateLedgerTests {
    private static let rate = RateLimit(calls: 1, per: .seconds(1))

    private static func reserve(
        _ ledger: RateLedger,
        _ rate: RateLimit = rate,
        patience: Duration = .seconds(60)
    ) async throws -> Duration? {
        let turn = try await ledger.change(from: ServicePace(), clock: { 5_000_000 }, by: LastResort.end) {
            $0.reserve(rate, at: $1, patience: patience)
        }
        if case .after(let wait, _) = turn { return wait }
        return nil
    }

    @Test func `gives every moment once, however many ask at the same time`() async throws {
        let folder = try ScratchFolder()
        let path = folder.file("pace")
        let waits = try await withThrowingTaskGroup(of: Duration?.self) { group in
            for _ in 0..<8 { group.addTask { try await Self.reserve(RateLedger(at: path)) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(waits) == Set((0..<8).map { Optional(.seconds($0)) }))
    }

    @Test(arguments: [
        "", "knot.pace/1", "knot.pace/1 x 0 0 60\n", "knot.pace/1 9223372036854775807 9223372036854775807 0 60\n",
        "knot.pace/1 0 0 -1 60\n", "\u{0}\u{0}",
    ])
    func `begins anew where its file says nothing of use`(text: String) async throws {
        let folder = try ScratchFolder()
        let ledger = RateLedger(at: try folder.write(text, to: "pace"))
        let waits = [try await Self.reserve(ledger), try await Self.reserve(ledger)]
        #expect(waits == [.zero, .seconds(1)])
    }

    @Test func `keeps what it was told for whoever comes after`() async throws {
        let folder = try ScratchFolder()
        let ledger = RateLedger(at: folder.file("pace"))
        let told = try await ledger.change(from: ServicePace(), clock: { 5_000_000 }, by: LastResort.end) { pace, now in
            _ = pace.reserve(Self.rate, at: now, patience: .zero)
            for _ in 0..<11 { pace.slow(at: now, most: 10) }
            _ = pace.budget.take(.throttled)
            return pace
        }
        let other = RateLedger(at: folder.file("pace"))
        let kept = try await other.change(from: ServicePace(), clock: { 5_000_001 }, by: LastResort.end) { pace, _ in
            pace
        }
        #expect(kept == told && kept.throttledInRow == 11 && kept.budget.tokens == 55)
    }

    /// Notes when it is asked.
    private final class Service: HTTPSender {
        private let status: Int
        private let asked = Mutex<[ContinuousClock.Instant]>([])

        init(status: Int = 200) { self.status = status }

        var moments: [ContinuousClock.Instant] { asked.withLock { $0 }.sorted() }

        func send(
            _ request: HTTPRequest,
            by deadline: ContinuousClock.Instant
        ) async throws(HTTPFailure) -> HTTPResponse {
            asked.withLock { $0.append(.now) }
            return HTTPResponse(status: status)
        }
    }

    /// Calls of a process that has just begun.
    private static func call(_ service: Service, times: Int, _ path: String, rate: RateLimit? = nil) async {
        var policy = ServiceChannel.Policy("a.example")
        policy.rate = rate
        policy.retry.throttleBase = .milliseconds(1)
        let channel = ServiceChannel(policy, over: service, pace: RateLedger(at: path), timers: DeadlineTimers())
        for _ in 0..<times {
            _ = try? await channel.send(HTTPRequest(.get, "https://a.example/"), by: LastResort.end)
        }
    }

    @Test func `keeps the channels of eight processes at the rate of one`() async throws {
        let folder = try ScratchFolder()
        let path = folder.file("pace")
        let service = Service()
        let rate = RateLimit(calls: 20, per: .seconds(1))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { await Self.call(service, times: 2, path, rate: rate) } }
        }
        withExtendedLifetime(folder) {}
        let moments = service.moments
        let first = try #require(moments.first)
        #expect(moments.count == 16)
        // A call may be late, and none is early but by what the first was late.
        for (number, moment) in moments.enumerated() {
            #expect(first.duration(to: moment) >= .milliseconds(50 * number - 40), "\(number)")
        }
    }

    /// Twenty-eight processes with three calls each; the first ten answers say it to all.
    @Test func `leaves a service alone in all processes that asks for fewer calls`() async throws {
        let folder = try ScratchFolder()
        let service = Service(status: 429)
        for _ in 0..<28 { await Self.call(service, times: 3, folder.file("pace")) }
        #expect(service.moments.count == 10)
    }
}
