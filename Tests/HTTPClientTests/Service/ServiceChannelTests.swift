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

    @Test func `leaves a service alone for a minute that asked for fewer calls too often, where it has such a rule`()
        async throws
    {
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

@Suite("The places of a service")
struct BulkheadTests {
    @Test func `are never more than there are, and whoever waits too long or gives up goes away`() async {
        let bulkhead = Bulkhead(places: 2, queue: 3, timers: DeadlineTimers())
        #expect(await bulkhead.enter(by: LastResort.end) == .entered)
        #expect(await bulkhead.enter(by: LastResort.end) == .entered)
        #expect(await bulkhead.enter(by: .now + .milliseconds(5)) == .late)
        let waiting = (0..<3).map { _ in Task { await bulkhead.enter(by: LastResort.end) } }
        while bulkhead.waiting < 3 { await Task.yield() }
        #expect(await bulkhead.enter(by: LastResort.end) == .full)
        waiting[0].cancel()
        #expect(await waiting[0].value == .cancelled)
        bulkhead.leave()
        bulkhead.leave()
        #expect(await waiting[1].value == .entered)
        #expect(await waiting[2].value == .entered)
        #expect(bulkhead.underWay == 2 && bulkhead.waiting == 0)
        bulkhead.leave()
        bulkhead.leave()
        #expect(bulkhead.underWay == 0)
    }

    /// How many are inside, and how many were at most.
    private final class Occupancy: Sendable {
        let inside = Atomic(0)
        let most = Atomic(0)
    }

    @Test func `hold under many who come, wait, give up and go`() async {
        let bulkhead = Bulkhead(places: 3, queue: 10, timers: DeadlineTimers())
        let seen = Occupancy()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let entry = await bulkhead.enter(by: .now + .milliseconds(number % 7))
                    guard entry == .entered else { return }
                    let now = seen.inside.add(1, ordering: .sequentiallyConsistent).newValue
                    seen.most.max(now, ordering: .sequentiallyConsistent)
                    await Task.yield()
                    seen.inside.subtract(1, ordering: .sequentiallyConsistent)
                    bulkhead.leave()
                }
                if number % 5 == 0 { await Task.yield() }
            }
            group.cancelAll()
        }
        #expect((1...3).contains(seen.most.load(ordering: .sequentiallyConsistent)))
        #expect(bulkhead.underWay == 0 && bulkhead.waiting == 0)
    }
}
