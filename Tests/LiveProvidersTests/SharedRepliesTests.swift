import HTTPClient
import KnotDomain
import LiveProviders
import Recommendation
import Synchronization
import Testing
import Threads

@Suite("Shared replies")
struct SharedRepliesTests {
    private let later = ContinuousClock.now.advanced(by: .seconds(1_200))

    @Test func `are asked for once by many who ask the same, and apart by who asks otherwise`() async throws {
        let sender = ScriptedSender { .json($0.url) }
        let shared = SharedReplies(sender)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let url = "https://service.example/\(number % 4)"
                    let reply = try await shared.send(HTTPRequest(.get, url), by: later)
                    #expect(reply.body == Array(url.utf8))
                }
            }
            try await group.waitForAll()
        }
        #expect(sender.requests.count == 4 && shared.sharedCount == 36)
        let other = HTTPRequest(.post, "https://service.example/0", body: [1], isIdempotent: true)
        _ = try await shared.send(other, by: later)
        #expect(sender.requests.count == 5)
    }

    @Test func `are no others' where a call may change something, where it failed, and when they are old`() async throws
    {
        let failing = ScriptedSender { _ in .json("", status: 503) }
        let shared = SharedReplies(failing)
        for _ in 0..<3 { _ = try await shared.send(HTTPRequest(.get, "https://a.example/"), by: later) }
        #expect(failing.requests.count == 3)

        let writing = ScriptedSender("{}")
        let writer = SharedReplies(writing)
        for _ in 0..<3 { _ = try await writer.send(HTTPRequest(.post, "https://a.example/", body: []), by: later) }
        #expect(writing.requests.count == 3)

        let brief = SharedReplies(writing, life: { _ in .zero })
        for _ in 0..<3 { _ = try await brief.send(HTTPRequest(.get, "https://a.example/"), by: later) }
        #expect(writing.requests.count == 6)
    }

    /// Runs of one batch begin within moments of each other, the later ones not always with the later deadlines.
    @Test func `are waited for by who has a little less time, and not by who has much less`() async throws {
        let sender = ScriptedSender("{}")
        let slow = SlowSender(sender: sender)
        let shared = SharedReplies(slow)
        let end = ContinuousClock.now.advanced(by: .seconds(600))
        async let first = shared.send(HTTPRequest(.get, "https://a.example/"), by: end)
        while slow.waiting == 0 { await Task.yield() }
        async let second = shared.send(HTTPRequest(.get, "https://a.example/"), by: end - .milliseconds(80))
        async let third = shared.send(HTTPRequest(.get, "https://a.example/"), by: end - .seconds(300))
        while slow.waiting < 2 { await Task.yield() }
        slow.open()
        _ = try await (first, second, third)
        #expect(sender.requests.count == 2)
    }

    @Test func `take no more memory than they may`() async throws {
        let sender = ScriptedSender { _ in .json(String(repeating: "x", count: 1_000)) }
        let shared = SharedReplies(sender, mostBytes: 2_500)
        for number in 0..<3 { _ = try await shared.send(HTTPRequest(.get, "https://a.example/\(number)"), by: later) }
        // The third made room by forgetting the others.
        for number in [2, 0] { _ = try await shared.send(HTTPRequest(.get, "https://a.example/\(number)"), by: later) }
        #expect(sender.requests.count == 4)
    }
}

/// Answers nobody until it is opened.
private final class SlowSender: HTTPSender {
    private let sender: ScriptedSender
    private let state = Mutex((waiting: 0, isOpen: false))

    init(sender: ScriptedSender) { self.sender = sender }

    var waiting: Int { state.withLock { $0.waiting } }
    func open() { state.withLock { $0.isOpen = true } }

    func send(
        _ request: HTTPRequest,
        by deadline: ContinuousClock.Instant
    ) async throws(HTTPFailure) -> HTTPResponse {
        state.withLock { $0.waiting += 1 }
        while !state.withLock({ $0.isOpen }) { await Task.yield() }
        return try await sender.send(request, by: deadline)
    }
}

/// The senders of the services as runs use them, over replies that a test writes.
@Suite("A service's sender")
struct ServiceSendingTests {
    private func attempts(_ name: String, _ reply: HTTPResponse, calls: Int = 2) async throws -> Int {
        let sender = ScriptedSender { _ in reply }
        let service = try #require(Adapters.all(Adapters.reply).first { $0.capability.name.rawValue == name })
        let conduct = ServiceConduct(service, account: "a")
        var retry = RetryPolicy()
        (retry.base, retry.throttleBase, retry.cap) = (.milliseconds(1), .milliseconds(1), .milliseconds(1))
        let own = conduct.sender(over: sender, quota: nil, timers: DeadlineTimers(), retry: retry)
        for _ in 0..<calls {
            let request = HTTPRequest(.get, "https://service.example/")
            _ = try? await own.send(request, by: .now.advanced(by: .seconds(1_200)))
        }
        return sender.requests.count
    }

    /// In seconds and as a date, also where a service's own rule has a shorter wait; what makes no sense asks for nothing.
    @Test(arguments: ["yelp", "ticketmaster", "amazon", "shopify", "firecrawl"])
    func `waits at least as long as a service asks for in any form`(name: String) throws {
        let service = try #require(Adapters.all(Adapters.reply).first { $0.capability.name.rawValue == name })
        let conduct = ServiceConduct(service, account: "a")
        // 06 Nov 1994 08:49:37.
        let now: Int64 = 784_111_777
        for (asked, seconds) in [("70", 70), ("Sun, 06 Nov 1994 08:50:47 GMT", 70), ("100000", 86_400), ("-5", 0)] {
            let reply = HTTPResponse.json("{}", status: 429, headers: [("Retry-After", asked)])
            let wait: Duration? =
                switch conduct.verdict(on: reply, now: now) {
                case .slower(let after), .retry(let after): after
                case .pause(let time), .usedUp(let time), .closed(let time): time
                case .final: nil
                }
            #expect(wait ?? .zero >= .seconds(seconds), "\(asked): \(String(describing: wait))")
            #expect(wait ?? .zero <= .seconds(max(100_000, seconds)))
        }
    }

    /// A node of a pipeline tries twice.
    @Test(arguments: ServiceErrorTests.all)
    func `sends a call once where it is refused, and again where that may help`(
        one: ServiceErrorTests.Case
    ) async throws {
        let count = try await attempts(one.service, .json(one.body, status: one.status, headers: one.headers))
        switch one.expected {
        case .never: #expect(count == 1)
        case .pause, .closed: #expect(count == 1, "nothing is sent while the service is left alone")
        case .again: #expect((2...6).contains(count))
        }
    }
}
