import KnotDomain
import PostgresClient
import TestSupport
import Testing

@testable import Learning
@testable import VaultStore

struct LearnerTests {
    private static let day: Int64 = 86_400_000
    private static let now = Instant(millisecondsSinceEpoch: 1_780_000_000_000)
    private static let learner = Learner()

    private static func signal(
        _ number: Int,
        _ action: Feedback.Action = .selected,
        rating: Int? = nil,
        reason: String? = nil,
        daysAgo: Int64 = 0,
        item: Int? = nil,
        run: Int? = nil,
        type: CandidateType = .gift,
        grounds: [(String, String, Double)] = [("vibe", "vintage", 0.8), ("interest", "Art", 0.4)]
    ) -> FeedbackSignal {
        FeedbackSignal(
            id: PostgresUUID(high: 1, low: UInt64(number)),
            item: PostgresUUID(high: 3, low: UInt64(item ?? number)),
            run: run.map { PostgresUUID(high: 2, low: UInt64($0)) },
            feedback: Feedback(action: action, rating: rating, reason: reason),
            at: Instant(millisecondsSinceEpoch: now.millisecondsSinceEpoch - daysAgo * day),
            type: type,
            grounds: grounds.map { FeedbackSignal.Ground(kind: $0.0, ref: $0.1, weight: $0.2) }
        )
    }

    private static func random(_ random: inout SeededRandom) -> [FeedbackSignal] {
        let reasons: [String?] = [nil, nil, "too_expensive", "not_their_style", "show_different", "my own words"]
        return (0..<Int.random(in: 0...40, using: &random)).map { number in
            signal(
                number,
                Feedback.Action.allCases.randomElement(using: &random) ?? .saved,
                rating: Bool.random(using: &random) ? Int.random(in: 1...5, using: &random) : nil,
                reason: reasons.randomElement(using: &random) ?? nil,
                daysAgo: Int64.random(in: -5...2_000, using: &random),
                item: Int.random(in: 0...20, using: &random),
                run: Bool.random(using: &random) ? Int.random(in: 1...3, using: &random) : nil,
                type: CandidateType.allCases.randomElement(using: &random) ?? .gift,
                grounds: (0..<Int.random(in: 0...5, using: &random)).map { _ in
                    (
                        ["vibe", "interest", "hint", "learned", "budget", "theme"].randomElement(using: &random) ?? "",
                        ["a", "b", "c"].randomElement(using: &random) ?? "",
                        [0, 0.5, 1, 7, -1, .nan, .infinity].randomElement(using: &random) ?? 0
                    )
                }
            )
        }
    }

    @Test func `fewer than three signals teach nothing`() {
        let weights = Self.learner.weights(from: [Self.signal(1), Self.signal(2)], asOf: Self.now)
        #expect(weights.factors.isEmpty && weights.signalCount == 2)
    }

    @Test func `of several ratings of one thing the latest counts, and what was done with it counts beside it`() {
        let changed = [
            Self.signal(1, .rated, rating: 5, daysAgo: 3, item: 1),
            Self.signal(2, .rated, rating: 1, daysAgo: 2, item: 1),
            Self.signal(3, .rated, rating: 5, daysAgo: 1, item: 1), Self.signal(4, .purchased, daysAgo: 2, item: 1),
            Self.signal(5, .rated, rating: 1, item: 2), Self.signal(6, .rated, rating: 4, daysAgo: -1, item: 2),
        ]
        let once = [changed[2], changed[3], changed[4]]
        let weights = Self.learner.weights(from: changed, asOf: Self.now)
        #expect(weights == Self.learner.weights(from: once, asOf: Self.now))
        #expect(weights.signalCount == 3)
        #expect(Self.learner.known(changed, asOf: Self.now) == Set(once.map(\.id)))
    }

    @Test func `a price complaint is paid by the budget and never by a vibe`() {
        let signals = (1...6).map { Self.signal($0, .refreshed, reason: "too_expensive") }
        let weights = Self.learner.weights(from: signals, asOf: Self.now)
        #expect(weights.factors.map(\.name) == ["budget"])
        #expect(weights["budget"] < 1 && weights["vibe:vintage"] == 1)
    }

    @Test func `a wish for something different is paid by nobody, and a complaint about style by the style`() {
        let different = (1...6).map { Self.signal($0, .refreshed, reason: "show_different") }
        #expect(Self.learner.weights(from: different, asOf: Self.now).factors.isEmpty)
        let style = (1...6).map { Self.signal($0, .refreshed, reason: "not_their_style") }
        let weights = Self.learner.weights(from: style, asOf: Self.now)
        #expect(weights.factors.map(\.name) == ["vibe:vintage"])
        #expect(weights["vibe:vintage"] < 1)
    }

    @Test func `one refresh of a set counts as one opinion, however many rows it left`() {
        let likes = (10...12).map { Self.signal($0, .saved, type: .date, grounds: []) }
        let one = likes + [Self.signal(1, .refreshed, run: 1)]
        let three = likes + (1...3).map { Self.signal($0, .refreshed, run: 1) }
        let (left, right) = (
            Self.learner.weights(from: one, asOf: Self.now), Self.learner.weights(from: three, asOf: Self.now)
        )
        #expect(abs(left["vibe:vintage"] - right["vibe:vintage"]) < 1e-12)
        #expect(left["vibe:vintage"] < 1)
    }

    @Test func `fresh whole signals of one factor follow the product's formula`() {
        let signals = (1...4).map { Self.signal($0, .purchased, grounds: []) }
        let weights = Self.learner.weights(from: signals, asOf: Self.now)
        // Four signals of 0.5 on the type alone: 1 + 0.5 · 2 / (2 + 2).
        #expect(abs(weights["type:gift"] - 1.25) < 1e-12)
    }

    @Test func `a signal counts half after each half-life`() {
        let signals = (1...4).map { Self.signal($0, .purchased, daysAgo: 730, grounds: []) }
        let factor = Self.learner.weights(from: signals, asOf: Self.now).factors.first
        #expect(abs((factor?.strength ?? 0) - 1) < 1e-12)
    }

    @Test(arguments: 1...40)
    func `the weights do not depend on order or doubling, are bounded, and fade`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let signals = Self.random(&random)
        let weights = Self.learner.weights(from: signals, asOf: Self.now)
        let again = Self.learner.weights(from: (signals + signals).shuffled(using: &random), asOf: Self.now)
        #expect(weights == again, "seed \(seed)")
        #expect(weights.factors.allSatisfy { (0.5...2).contains($0.weight) && (-1...1).contains($0.mean) })
        #expect(weights.factors.allSatisfy { !$0.name.hasPrefix("learned") && $0.causes.count <= 5 })
        #expect(weights.signalCount <= signals.filter { $0.at <= Self.now }.count)
        // With no new signals a weight only comes nearer to one.
        var last = weights
        for years in [1, 5, 50] {
            let later = Instant(millisecondsSinceEpoch: Self.now.millisecondsSinceEpoch + Int64(years) * 365 * Self.day)
            let known = signals.filter { $0.at <= Self.now }
            let next = Self.learner.weights(from: known, asOf: later)
            for factor in next.factors {
                #expect(abs(factor.weight - 1) <= abs(last[factor.name] - 1) + 1e-12, "seed \(seed) \(factor.name)")
            }
            last = next
        }
        #expect(last.factors.allSatisfy { abs($0.weight - 1) < 0.01 })
    }
}
