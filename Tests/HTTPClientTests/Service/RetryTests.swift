import TestSupport
import Testing

@testable import HTTPClient

@Suite("Sending a call again")
struct RetryTests {
    private static func decide(
        _ cause: RetryPolicy.Cause = .transient,
        attempt: Int = 1,
        asked: Duration? = nil,
        left: Duration = .seconds(60),
        jitter: Double = 1,
        budget: RetryBudget = RetryBudget()
    ) -> RetryPolicy.Decision {
        var budget = budget
        return RetryPolicy().decision(
            because: cause,
            attempt: attempt,
            asked: asked,
            left: left,
            jitter: jitter,
            budget: &budget
        )
    }

    @Test func `ends with the third attempt, the deadline, the budget, and a wait beyond a minute`() {
        #expect(Self.decide(attempt: 3) == .giveUp)
        #expect(Self.decide(left: .milliseconds(50)) == .giveUp)
        #expect(Self.decide(budget: RetryBudget(capacity: 13)) == .giveUp)
        #expect(Self.decide(asked: .seconds(61), left: .seconds(600)) == .giveUp)
        #expect(Self.decide(asked: .seconds(10), left: .seconds(10)) == .giveUp)
    }

    @Test func `waits from nothing to a bound that doubles, and never less than the service asks`() {
        #expect(Self.decide(jitter: 0) == .retry(after: .zero))
        #expect(Self.decide() == .retry(after: .milliseconds(50)))
        #expect(Self.decide(attempt: 2) == .retry(after: .milliseconds(100)))
        #expect(Self.decide(.throttled) == .retry(after: .seconds(1)))
        #expect(Self.decide(.throttled, asked: .seconds(3)) == .retry(after: .seconds(3)))
        #expect(Self.decide(.throttled, asked: .zero) == .retry(after: .seconds(1)))
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `keeps every wait within its bounds, whatever is drawn`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var policy = RetryPolicy()
        policy.attempts = 100
        for _ in 0..<2_000 {
            var budget = RetryBudget(capacity: Int.random(in: 0...500, using: &random))
            let attempt = Int.random(in: 1...120, using: &random)
            let asked = Bool.random(using: &random) ? Duration.seconds(Int.random(in: 0...120, using: &random)) : nil
            let left = Duration.milliseconds(Int.random(in: -10...90_000, using: &random))
            let decision = policy.decision(
                because: Bool.random(using: &random) ? .transient : .throttled,
                attempt: attempt,
                asked: asked,
                left: left,
                jitter: Double.random(in: -1...2, using: &random),
                budget: &budget
            )
            guard case .retry(let wait) = decision else { continue }
            #expect(attempt < 100 && wait < left && wait >= asked ?? .zero, "seed \(seed)")
            #expect(wait <= max(policy.cap, asked ?? .zero), "seed \(seed)")
        }
    }

    @Test func `costs an outage at most what the budget has, and is earned back by successes`() {
        var budget = RetryBudget()
        for _ in 0..<1_000 { budget.deposit() }
        #expect(budget.tokens == budget.capacity)
        var repetitions = 0
        for _ in 0..<10_000 where budget.take(.transient) { repetitions += 1 }
        #expect(repetitions == 500 / 14)
        for _ in 0..<13 { budget.deposit() }
        // 500 - 35 * 14 = 10 were left.
        let isPaid = budget.take(.transient)
        #expect(isPaid)
    }

    /// Each process begins with one, and may end before it has met a success.
    @Test func `begins with a few repetitions and not with all`() {
        var budget = RetryBudget()
        var repetitions = 0
        for _ in 0..<84 where budget.take(.throttled) { repetitions += 1 }
        #expect((4...16).contains(repetitions))
    }
}

@Suite("Retry-After")
struct RetryAfterTests {
    /// Sunday, 6 November 1994, 08:49:37 GMT.
    private static let moment: Int64 = 784_111_777

    @Test(
        arguments: [
            "", " ", "-1", "1.5", "+3", "3 s", "soon", "1e3", "0x10", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 31 Feb 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT", "1994-11-06T08:49:37Z", "\u{0661}\u{0662}",
            String(repeating: "9", count: 65),
        ]
    )
    func `is nothing where it makes no sense`(value: String) {
        #expect(RetryAfter.wait(value, now: Self.moment) == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("120", 120), (" 7 ", 7), ("999999999999999999", 1_000_000_000),
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
            ("Sun Nov  6 08:50:37 1994", 60), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
        ]
    )
    func `is seconds, or the time until a date in any of its three forms`(value: String, seconds: Int) {
        #expect(RetryAfter.wait(value, now: Self.moment) == .seconds(seconds))
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func `reads every date of four centuries as the calendar counts them`(seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var day: Int64 = 0
        for year in 1_970..<2_370 {
            await Task.yield()
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for (month, length) in lengths.enumerated() {
                let date = Int.random(in: 1...length, using: &random)
                let second = Int.random(in: 0...59, using: &random)
                let text =
                    "Mon, \(date < 10 ? "0" : "")\(date) \(months[month]) \(year) 23:59:\(second < 10 ? "0" : "")\(second) GMT"
                let expected = (day + Int64(date) - 1) * 86_400 + 86_340 + Int64(second)
                #expect(RetryAfter.date(text) == expected, "seed \(seed): \(text)")
                day += Int64(length)
            }
        }
    }
}
