import Synchronization
import TestSupport
import Testing
import Threads

@testable import HTTPClient

/// A service whose answers are given, over time that only passes when somebody sleeps.
private final class ScriptedService: HTTPSender {
    private struct State {
        var now = ContinuousClock.now
        var sent: [ContinuousClock.Instant] = []
        var random: SeededRandom
    }

    private let state: Mutex<State>
    private let answer: @Sendable (Int, ContinuousClock.Instant) -> Result<HTTPResponse, HTTPFailure>
    let start: ContinuousClock.Instant

    init(
        seed: UInt64 = 1,
        _ answer: @escaping @Sendable (Int, ContinuousClock.Instant) -> Result<HTTPResponse, HTTPFailure>
    ) {
        let first = State(random: SeededRandom(seed: seed))
        start = first.now
        state = Mutex(first)
        self.answer = answer
    }

    var sent: [Duration] { state.withLock { $0.sent }.map { start.duration(to: $0) } }
    var now: ContinuousClock.Instant { state.withLock { $0.now } }

    func advance(_ time: Duration) { state.withLock { $0.now += time } }

    var clock: ServiceClock {
        ServiceClock(
            now: { self.now },
            secondsSince1970: { 1_000 },
            random: { self.state.withLock { Double.random(in: 0...1, using: &$0.random) } },
            pause: { instant in
                self.state.withLock { $0.now = max($0.now, instant) }
                return !Task.isCancelled
            }
        )
    }

    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        let (number, now) = state.withLock { state in
            state.sent.append(state.now)
            return (state.sent.count, state.now)
        }
        return try answer(number, now).get()
    }
}

@Suite("A service's channel")
struct ServiceChannelTests {
    private static let down = Result<HTTPResponse, HTTPFailure>.failure(HTTPFailure(.reset, host: "a.example", ""))

    private static func status(_ status: Int, _ headers: HTTPHeaders = [:]) -> Result<HTTPResponse, HTTPFailure> {
        .success(HTTPResponse(status: status, headers: headers))
    }

    private static func channel(
        _ service: ScriptedService,
        _ change: (inout ServiceChannel.Policy) -> Void = { _ in }
    ) -> ServiceChannel {
        var policy = ServiceChannel.Policy("a.example")
        change(&policy)
        return ServiceChannel(policy, over: service, timers: DeadlineTimers(), clock: service.clock)
    }

    private static func outcome(
        _ channel: ServiceChannel,
        _ service: ScriptedService,
        _ request: HTTPRequest = HTTPRequest(.get, "https://a.example/"),
        within patience: Duration = .seconds(60)
    ) async -> Result<HTTPResponse, HTTPFailure> {
        do throws(HTTPFailure) {
            return .success(try await channel.send(request, by: service.now + patience))
        } catch {
            return .failure(error)
        }
    }

    @Test(arguments: [400, 401, 402, 403, 404, 405, 410, 413, 422, 501] + [200, 204, 302])
    func `sends nothing again that would get the same answer`(status: Int) async throws {
        let service = ScriptedService { _, _ in Self.status(status) }
        let channel = Self.channel(service)
        #expect(try await Self.outcome(channel, service).get().status == status)
        #expect(service.sent.count == 1)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func `sends three times what may be better a moment later, and gives the last answer`(status: Int) async throws {
        let service = ScriptedService { _, _ in Self.status(status) }
        let channel = Self.channel(service)
        #expect(try await Self.outcome(channel, service).get().status == status)
        #expect(service.sent.count == 3)
    }

    /// The last attempt may have had little of the call's time.
    @Test func `says how long a call took that ran out of time`() async {
        let holder = Mutex<ScriptedService?>(nil)
        let service = ScriptedService { number, _ in
            holder.withLock { $0 }?.advance(number == 1 ? .milliseconds(2_600) : .milliseconds(100))
            return number == 1 ? Self.down : .failure(HTTPFailure(.timeout, host: "a.example", "no byte after 0.1 s"))
        }
        holder.withLock { $0 = service }
        let outcome = await Self.outcome(Self.channel(service) { $0.retry.attempts = 2 }, service)
        holder.withLock { $0 = nil }
        guard case .failure(let failure) = outcome else {
            Issue.record("it answered")
            return
        }
        #expect(failure.detail == "no complete answer in 2.7 s and 2 attempts", "\(failure)")
    }

    @Test func `sends a call that changes something again only where it was never sent`() async {
        let post = HTTPRequest(.post, "https://a.example/")
        for (kind, times) in [(HTTPFailure.Kind.reset, 1), (.timeout, 1), (.connect, 3)] {
            let service = ScriptedService { _, _ in .failure(HTTPFailure(kind, host: "a.example", "")) }
            _ = await Self.outcome(Self.channel(service), service, post)
            #expect(service.sent.count == times, "\(kind)")
        }
        let busy = ScriptedService { _, _ in Self.status(503) }
        _ = await Self.outcome(Self.channel(busy), busy, post)
        #expect(busy.sent.count == 1)
    }

    @Test func `waits as long as the service asks`() async throws {
        let service = ScriptedService { number, _ in
            number == 1 ? Self.status(429, ["Retry-After": "7"]) : Self.status(200)
        }
        let channel = Self.channel(service)
        #expect(try await Self.outcome(channel, service).get().status == 200)
        #expect(service.sent == [.zero, .seconds(7)])
        #expect(channel.counts.throttled == 1 && channel.counts.retries == 1)
    }

    @Test func `never waits beyond the deadline`() async throws {
        let service = ScriptedService { _, _ in Self.status(429, ["Retry-After": "7"]) }
        #expect(try await Self.outcome(Self.channel(service), service, within: .seconds(7)).get().status == 429)
        #expect(service.sent == [.zero])
    }

    @Test func `sends nothing once the time is over, and does not say that too many were calling`() async {
        let service = ScriptedService { _, _ in Self.status(200) }
        let channel = Self.channel(service) { $0.rate = RateLimit(calls: 10, per: .seconds(1)) }
        let outcome = await Self.outcome(channel, service, within: .milliseconds(-1))
        guard case .failure(let failure) = outcome else {
            Issue.record("it was sent")
            return
        }
        #expect(failure.kind == .timeout && failure.detail.contains("before it could be asked"), "\(failure)")
        #expect(service.sent.isEmpty)
    }

    @Test func `is silent until the day's quota comes back, where the service says that it is used up`() async throws {
        let service = ScriptedService { _, _ in Self.status(429) }
        let channel = Self.channel(service) { $0.judge = { _, _ in .pause(for: .seconds(3_600)) } }
        #expect(try await Self.outcome(channel, service).get().status == 429)
        for _ in 0..<5 {
            guard case .failure(let failure) = await Self.outcome(channel, service) else {
                Issue.record("it was asked again")
                return
            }
            #expect(failure.kind == .breakerOpen && failure.retryAfter == .seconds(3_600))
        }
        #expect(service.sent.count == 1)
        service.advance(.seconds(3_600))
        _ = await Self.outcome(channel, service)
        #expect(service.sent.count == 2)
    }

    @Test func `tells the ledger that the day's quota is used up, for those who come after`() async throws {
        let folder = try ScratchFolder()
        let service = ScriptedService { _, _ in Self.status(429) }
        var policy = ServiceChannel.Policy("a.example")
        policy.judge = { _, _ in .usedUp(for: .seconds(86_400)) }
        let quota = QuotaLedger(at: folder.file("quota"), limit: 300)
        let timers = DeadlineTimers()
        for _ in 0..<3 {
            // Each as in a process of its own.
            let channel = ServiceChannel(policy, over: service, quota: quota, timers: timers, clock: service.clock)
            _ = await Self.outcome(channel, service)
        }
        #expect(service.sent.count == 1)
    }

    /// Every call may be sent three times, and all of them at most a fifth more often than once.
    @Test(arguments: [1, 20])
    func `does not double the load of a service that asks for fewer calls`(secondsBetween: Int) async {
        let service = ScriptedService { _, _ in Self.status(429) }
        let channel = Self.channel(service)
        for _ in 0..<84 {
            _ = await Self.outcome(channel, service)
            service.advance(.seconds(secondsBetween))
        }
        #expect(Double(channel.counts.attempts) <= 1.2 * 84, "\(channel.counts)")
        #expect(service.sent.count { $0 < .seconds(40) } <= 10)
    }

    @Test func `leaves a service alone for a minute that asked for fewer calls too often`() async throws {
        let service = ScriptedService { _, _ in Self.status(429) }
        let channel = Self.channel(service) { $0.mostThrottled = 3 }
        #expect(try await Self.outcome(channel, service).get().status == 429)
        guard case .failure(let failure) = await Self.outcome(channel, service) else {
            Issue.record("it was asked again")
            return
        }
        #expect(failure.kind == .breakerOpen && service.sent.count == 3)
        service.advance(.seconds(60))
        _ = await Self.outcome(channel, service)
        #expect(service.sent.count > 3)
    }

    /// The third call waits for its moment while the others are answered.
    @Test func `sends nothing that was still waiting when the service asked for fewer calls`() async throws {
        let folder = try ScratchFolder()
        let service = ScriptedService { _, _ in Self.status(429) }
        var policy = ServiceChannel.Policy("a.example")
        (policy.rate, policy.mostThrottled) = (RateLimit(calls: 1, per: .seconds(1)), 1)
        let ledger = RateLedger(at: folder.file("pace"))
        var clock = service.clock
        clock.pause = { instant in
            // Another process is answered before this one wakes.
            do {
                try await ledger.change(from: ServicePace(), clock: { 1_000_000_000 }, by: LastResort.end) {
                    $0.slow(at: $1, most: 1)
                }
            } catch {
                Issue.record("\(error)")
            }
            return true
        }
        let channel = ServiceChannel(policy, over: service, pace: ledger, timers: DeadlineTimers(), clock: clock)
        _ = try await ledger.change(from: ServicePace(), clock: { 1_000_000_000 }, by: LastResort.end) {
            $0.reserve(policy.rate, at: $1, patience: .zero)
        }
        guard case .failure(let failure) = await Self.outcome(channel, service) else {
            Issue.record("it was sent")
            return
        }
        #expect(failure.kind == .breakerOpen && service.sent.isEmpty)
    }

    @Test func `hears nothing of the service's pace from whoever gives tokens`() async {
        let service = ScriptedService { number, _ in Self.status(number % 2 == 0 ? 429 : 200) }
        let channel = Self.channel(service) { ($0.mostThrottled, $0.retry.attempts) = (3, 1) }
        var token = HTTPRequest(.post, "https://a.example/token", isIdempotent: true)
        token.isCounted = false
        for _ in 0..<8 {
            _ = await Self.outcome(channel, service, token)
            _ = await Self.outcome(channel, service)
        }
        // Eight tokens, and three calls.
        #expect(channel.counts.attempts == 11, "\(channel.counts)")
    }

    @Test func `paces and counts no call that the service itself does not count, as for a token`() async throws {
        let folder = try ScratchFolder()
        let service = ScriptedService { _, _ in Self.status(200) }
        var policy = ServiceChannel.Policy("a.example")
        policy.rate = RateLimit(calls: 1, per: .seconds(1), burst: 1)
        let quota = QuotaLedger(at: folder.file("quota"), limit: 1)
        let channel = ServiceChannel(
            policy,
            over: service,
            quota: quota,
            timers: DeadlineTimers(),
            clock: service.clock
        )
        var token = HTTPRequest(.post, "https://a.example/token", isIdempotent: true)
        token.isCounted = false
        for request in [token, HTTPRequest(.get, "https://a.example/"), token] {
            guard case .success = await Self.outcome(channel, service, request) else {
                Issue.record("a call that should pass was refused")
                return
            }
        }
        #expect(service.sent == [.zero, .zero, .zero])
        #expect(try await quota.left(at: 1_000, by: .now + .seconds(1)) == 0)
    }

    @Test func `counts a call against the quota before it is sent, and sends none beyond it`() async throws {
        let folder = try ScratchFolder()
        let service = ScriptedService { _, _ in Self.status(200) }
        let channel = ServiceChannel(
            ServiceChannel.Policy("a.example"),
            over: service,
            quota: QuotaLedger(at: folder.file("quota"), limit: 4),
            timers: DeadlineTimers(),
            clock: service.clock
        )
        var kinds: [HTTPFailure.Kind?] = []
        for _ in 0..<6 {
            switch await Self.outcome(channel, service) {
            case .success: kinds.append(nil)
            case .failure(let failure): kinds.append(failure.kind)
            }
        }
        #expect(kinds == [nil, nil, nil, nil, .overQuota, .overQuota])
        #expect(service.sent.count == 4)
    }

    /// Of these kinds the first says that nothing was sent; after the others the service may have counted the call.
    @Test(arguments: [(HTTPFailure.Kind.connect, 4), (.reset, 1), (.timeout, 1), (.tooLarge, 3), (.cancelled, 3)])
    func `counts no attempt of which nothing was sent`(kind: HTTPFailure.Kind, left: Int) async throws {
        let folder = try ScratchFolder()
        let service = ScriptedService { _, _ in .failure(HTTPFailure(kind, host: "a.example", "")) }
        let quota = QuotaLedger(at: folder.file("quota"), limit: 4)
        let channel = ServiceChannel(
            ServiceChannel.Policy("a.example"),
            over: service,
            quota: quota,
            timers: DeadlineTimers(),
            clock: service.clock
        )
        _ = await Self.outcome(channel, service)
        #expect(channel.counts.attempts == service.sent.count)
        #expect(try await quota.left(at: 1_000, by: .now + .seconds(1)) == left)
    }

    /// A full outage costs at most a fifth more than its calls, and what is called afterwards is at most twice the usual.
    @Test(arguments: [41, 42, 43] as [UInt64])
    func `does not double the load of an outage, nor of its end`(seed: UInt64) async {
        let outage = Duration.seconds(600)
        let service = ScriptedService(seed: seed) { [start = ContinuousClock.now] _, now in
            start.duration(to: now) < outage ? Self.down : Self.status(200)
        }
        let channel = Self.channel(service)
        var calls = 0
        // Ten calls a second for ten minutes, and for ten minutes more.
        while service.start.duration(to: service.now) < .seconds(1_200) {
            _ = await Self.outcome(channel, service, within: .seconds(5))
            service.advance(.milliseconds(100))
            calls += 1
        }
        #expect(Double(channel.counts.attempts) <= 1.2 * Double(calls), "seed \(seed)")
        let after = service.sent.filter { $0 >= outage }
        for instant in after.prefix(200) {
            #expect(after.count { $0 >= instant && $0 < instant + .seconds(1) } <= 20, "seed \(seed)")
        }
        let opened = service.sent.prefix { $0 < .seconds(10) }
        let silent = service.sent.count { $0 >= .seconds(10) && $0 < outage }
        #expect(opened.count < 100 && silent < 100, "seed \(seed): the breaker opens within 10 s")
        #expect(after.first.map { $0 < outage + .seconds(360) } == true)
        #expect(channel.breaker == .closed)
    }
}
