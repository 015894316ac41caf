import TestSupport
import Testing

@testable import HTTPClient

@Suite("The breaker of a service")
struct CircuitBreakerTests {
    private let start = ContinuousClock.now

    private func broken(_ times: Int, good: Int = 0) -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for number in 0..<(times + good) {
            breaker.report(number < good, .pass, at: start, jitter: 0.5)
        }
        return breaker
    }

    @Test func `lets nothing through after ten failures in a row, and tries again after half a minute`() {
        var breaker = broken(10)
        #expect(breaker.permit(at: start + .seconds(10)) == .refuse(for: .seconds(20)))
        #expect(breaker.permit(at: start + .seconds(30)) == .probe(trial: 1))
    }

    @Test func `opens at half of twenty calls, and not at a smaller share or fewer calls`() {
        var breaker = CircuitBreaker()
        for number in 0..<19 { breaker.report(number % 2 == 0, .pass, at: start, jitter: 0.5) }
        #expect(breaker.state == .closed)
        breaker.report(false, .pass, at: start, jitter: 0.5)
        #expect(breaker.state == .open(until: start + .seconds(30)))
        var better = CircuitBreaker()
        for number in 0..<300 { better.report(number % 9 < 5, .pass, at: start, jitter: 0.5) }
        #expect(better.state == .closed)
    }

    @Test func `forgets what is older than its window`() {
        var breaker = broken(9)
        for number in 0..<11 {
            breaker.report(true, .pass, at: start + .seconds(31 + number), jitter: 0.5)
        }
        for _ in 0..<9 { breaker.report(false, .pass, at: start + .seconds(60), jitter: 0.5) }
        #expect(breaker.state == .closed)
    }

    @Test func `closes after three good trials, and waits twice as long after a bad one, up to five minutes`() {
        var breaker = broken(10)
        var now = start + .seconds(30)
        for (number, wait) in [60, 120, 240, 300, 300].enumerated() {
            let permit = breaker.permit(at: now)
            #expect(permit == .probe(trial: number + 1))
            breaker.report(false, permit, at: now, jitter: 0.5)
            #expect(breaker.state == .open(until: now + .seconds(wait)))
            now += .seconds(wait)
        }
        let trials = (0..<3).map { _ in breaker.permit(at: now) }
        #expect(trials == Array(repeating: .probe(trial: 6), count: 3))
        #expect(breaker.permit(at: now) == .refuse(for: .seconds(1)))
        for trial in trials { breaker.report(true, trial, at: now, jitter: 0.5) }
        #expect(breaker.state == .closed)
    }

    @Test func `takes nothing from a call of an earlier trial`() {
        var breaker = broken(10)
        let late = breaker.permit(at: start + .seconds(30))
        let other = breaker.permit(at: start + .seconds(30))
        breaker.report(false, other, at: start + .seconds(31), jitter: 0.5)
        let now = start + .seconds(91)
        _ = breaker.permit(at: now)
        breaker.report(true, late, at: now, jitter: 0.5)
        breaker.withdraw(late)
        #expect(breaker.state == .halfOpen(underWay: 1, succeeded: 0))
    }

    @Test func `gives a trial's place back whose call was never sent`() {
        var breaker = broken(10)
        let now = start + .seconds(30)
        for _ in 0..<20 {
            let permit = breaker.permit(at: now)
            #expect(permit == .probe(trial: 1))
            breaker.withdraw(permit)
        }
    }

    @Test func `takes a pause that the service asks for, and no shorter one after it`() {
        var breaker = CircuitBreaker()
        breaker.open(for: .seconds(3_600), at: start)
        breaker.open(for: .seconds(60), at: start)
        #expect(breaker.permit(at: start + .seconds(3_599)) == .refuse(for: .seconds(1)))
    }

    @Test func `opens at different times in different processes`() {
        var early = CircuitBreaker()
        var late = CircuitBreaker()
        for _ in 0..<10 {
            early.report(false, .pass, at: start, jitter: 0)
            late.report(false, .pass, at: start, jitter: 1)
        }
        #expect(early.state == .open(until: start + .seconds(24)))
        #expect(late.state == .open(until: start + .seconds(36)))
    }

    @Test(arguments: [21, 22, 23, 24] as [UInt64])
    func `lets at most three trials be under way, whatever happens`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var breaker = CircuitBreaker()
        var underWay: [CircuitBreaker.Permit] = []
        var now = start
        for _ in 0..<20_000 {
            now += .milliseconds(Int.random(in: 0...2_000, using: &random))
            if Bool.random(using: &random) {
                let permit = breaker.permit(at: now)
                if case .refuse(let time) = permit {
                    #expect(time > .zero, "seed \(seed)")
                } else {
                    underWay.append(permit)
                }
            } else if let place = underWay.indices.randomElement(using: &random) {
                let permit = underWay.remove(at: place)
                if Int.random(in: 0..<10, using: &random) == 0 {
                    breaker.withdraw(permit)
                } else {
                    breaker.report(
                        Bool.random(using: &random),
                        permit,
                        at: now,
                        jitter: Double.random(in: 0...1, using: &random)
                    )
                }
            }
            if case .halfOpen(let trials, let good) = breaker.state {
                #expect(trials >= 0 && trials + good <= 3, "seed \(seed)")
            }
        }
    }
}
