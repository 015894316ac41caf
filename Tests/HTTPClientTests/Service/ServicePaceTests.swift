import TestSupport
import Testing

@testable import HTTPClient

@Suite("The pace of a service")
struct ServicePaceTests {
    private static let start: Int64 = 7_000_000

    private static func wait(_ turn: ServicePace.Turn) -> Duration? {
        if case .after(let wait, _) = turn { return wait }
        return nil
    }

    @Test func `refuses a call that would wait too long, and takes nothing for it`() {
        let rate = RateLimit(calls: 1, per: .seconds(10))
        var pace = ServicePace()
        let turns = [0, 9, 10].map { pace.reserve(rate, at: Self.start, patience: .seconds($0)) }
        #expect(turns[0] == .after(.zero, moment: Self.start) && turns[1] == .late)
        #expect(turns[2] == .after(.seconds(10), moment: Self.start + 10_000_000))
    }

    @Test func `lets a few calls through at once after a pause, and then one at a time`() {
        let rate = RateLimit(calls: 5, per: .seconds(1), burst: 3)
        var pace = ServicePace()
        let waits = (0..<5).map { _ in Self.wait(pace.reserve(rate, at: Self.start, patience: .seconds(9))) }
        #expect(waits == [.zero, .zero, .zero, .milliseconds(200), .milliseconds(400)])
    }

    @Test(arguments: [31, 32, 33] as [UInt64])
    func `never passes more than its calls in any period, beyond the burst`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let (calls, burst) = (Int.random(in: 1...20, using: &random), Int.random(in: 1...5, using: &random))
        let rate = RateLimit(calls: calls, per: .seconds(1), burst: burst)
        var pace = ServicePace()
        var sent: [Duration] = []
        var now = Self.start
        for _ in 0..<2_000 {
            now += Int64.random(in: 0...100_000, using: &random)
            let turn = pace.reserve(rate, at: now, patience: .seconds(2))
            guard case .after(let wait, let moment) = turn else { continue }
            if Int.random(in: 0..<10, using: &random) == 0 {
                pace.giveBack(moment, of: rate)
            } else {
                sent.append(.microseconds(now) + wait)
            }
        }
        sent.sort()
        for (index, instant) in sent.enumerated() {
            let within = sent[index...].prefix { $0 < instant + .seconds(1) }.count
            #expect(within <= calls + burst, "seed \(seed)")
        }
    }

    /// A moment that another call has taken since would be given to two.
    @Test func `takes back only the moment that was taken last`() {
        let rate = RateLimit(calls: 1, per: .seconds(1))
        var pace = ServicePace()
        for _ in 0..<2 { _ = pace.reserve(rate, at: Self.start, patience: .seconds(9)) }
        pace.giveBack(Self.start, of: rate)
        #expect(Self.wait(pace.reserve(rate, at: Self.start, patience: .seconds(9))) == .seconds(2))
        pace.giveBack(Self.start + 2_000_000, of: rate)
        #expect(Self.wait(pace.reserve(rate, at: Self.start, patience: .seconds(9))) == .seconds(2))
    }

    @Test func `leaves a service alone after so many answers in a row that ask for fewer calls`() {
        var pace = ServicePace()
        for _ in 0..<9 { pace.slow(at: Self.start, most: 10) }
        #expect(Self.wait(pace.reserve(nil, at: Self.start, patience: .zero)) == .zero)
        pace.slow(at: Self.start, most: 10)
        #expect(pace.reserve(nil, at: Self.start + 1_000_000, patience: .zero) == .alone(for: .seconds(59)))
        let later = Self.start + 60_000_000
        #expect(Self.wait(pace.reserve(nil, at: later, patience: .zero)) == .zero)
        // One more is one of the same row.
        pace.slow(at: later, most: 10)
        #expect(pace.reserve(nil, at: later, patience: .zero) == .alone(for: .seconds(60)))
        pace.succeed()
        #expect(pace.throttledInRow == 0)
    }
}
