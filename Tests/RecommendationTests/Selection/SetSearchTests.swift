import KnotDomain
import StageGraph
import Testing
import TextEncoding
import TextReading

@testable import Recommendation

/// The exact search held against a naive one that shares nothing with it but the facts of the offers.
@Suite struct SetSearchTests {
    private static let palette = OfferPalette.shared

    /// Every set of so many places, judged by the definition.
    private struct Naive {
        let pool: [Ranked<Offer>]
        let strength: Double
        let secondType: Double
        let rules: SetRules

        func value(_ set: [Int]) -> Double {
            let objective = SetObjective(strength: strength, rules: rules)
            let traits = set.map { SetObjective.trait(of: pool[$0], in: palette.brief) }
            var spread = 0.0
            for left in traits.indices {
                for right in traits.indices where right > left {
                    spread += objective.distance(traits[left], traits[right])
                }
            }
            let mixed = Set(traits.map(\.type)).count > 1 ? secondType : 0
            return (1 - strength) * traits.reduce(0) { $0 + $1.score } / 3 + strength * spread / 3 + mixed
        }

        func isAllowed(_ set: [Int]) -> Bool {
            let offers = set.map { pool[$0].item }
            if rules.distinctMerchants, Set(offers.map(\.candidate.merchant)).count < offers.count { return false }
            let hasOneKindTwice = offers.indices.contains { left in
                offers.indices.contains { $0 > left && Sameness.isSameKind(offers[left], offers[$0]) }
            }
            if rules.distinctKinds, hasOneKindTwice { return false }
            guard rules.noNearDuplicates else { return true }
            return !offers.indices.contains { left in
                offers.indices.contains { $0 > left && Sameness.isNearDuplicate(offers[left], offers[$0]) }
            }
        }

        var best: Double? {
            var best: Double?
            for first in pool.indices {
                for second in pool.indices where second > first {
                    for third in pool.indices where third > second && isAllowed([first, second, third]) {
                        best = max(best ?? -.infinity, value([first, second, third]))
                    }
                }
            }
            return best
        }
    }

    @Test(arguments: 0..<8) func `finds what brute force finds, under every mix of hard rules`(batch: UInt64) {
        for seed in (batch * 250)..<(batch * 250 + 250) {
            var generator = SeededGenerator(seed: seed)
            let drawn = Self.palette.pool(3 + Int(generator.next() % 7), &generator, coarse: seed % 5 == 0)
            let pool = Ranking(drawn).entries
            let bits = generator.next()
            let rules = SetRules(
                distinctMerchants: bits & 1 == 0,
                noNearDuplicates: bits & 2 == 0,
                distinctKinds: bits & 8 == 0
            )
            let strength = [0, 0.08, 0.3, 0.7, 1][Int(generator.next() % 5)]
            let secondType = bits & 4 == 0 ? 0 : Double(bits >> 8 % 100) / 400
            let naive = Naive(pool: pool, strength: strength, secondType: secondType, rules: rules)
            let search = SetSearch(
                pool,
                objective: SetObjective(strength: strength, secondType: secondType, rules: rules),
                brief: Self.palette.brief
            )
            let found = search.best(size: 3, open: Array(pool.indices))
            #expect((found == nil) == (naive.best == nil), "seed \(seed)")
            guard let found, let best = naive.best else { continue }
            #expect(naive.isAllowed(found) && abs(naive.value(found) - best) < 1e-12, "seed \(seed)")
        }
    }

    @Test func `of sets that are equally good, the first in the order of the offers is found`() {
        var ties = 0
        for seed in 0..<400 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed &+ 7_000)
            let pool = Ranking(Self.palette.pool(4 + Int(generator.next() % 6), &generator, coarse: true)).entries
            let rules = SetRules(distinctMerchants: false, noNearDuplicates: seed % 2 == 0)
            let objective = SetObjective(
                strength: seed % 4 == 0 ? 0 : 0.08,
                secondType: seed % 3 == 0 ? 0.05 : 0,
                rules: rules
            )
            let search = SetSearch(pool, objective: objective, brief: Self.palette.brief)
            var best: (set: [Int], value: Double)?
            for first in pool.indices {
                for second in pool.indices.dropFirst(first + 1) {
                    for third in pool.indices.dropFirst(second + 1) where search.isAllowed([first, second, third]) {
                        let value = search.value(of: [first, second, third])
                        if value == best?.value { ties += 1 }
                        if value > best?.value ?? -.infinity { best = ([first, second, third], value) }
                    }
                }
            }
            #expect(search.best(size: 3, open: Array(pool.indices)) == best?.set, "seed \(seed)")
        }
        #expect(ties > 20)
    }

    @Test(arguments: 0..<4) func `is never beaten by MMR or a greedy DPP on its own objective`(batch: UInt64) {
        for seed in (batch * 250)..<(batch * 250 + 250) {
            var generator = SeededGenerator(seed: seed &+ 90_000)
            let pool = Ranking(Self.palette.pool(5 + Int(generator.next() % 12), &generator)).entries
            let rules = SetRules(distinctMerchants: true, noNearDuplicates: true)
            let objective = SetObjective(strength: generator.unit(), rules: rules)
            let search = SetSearch(pool, objective: objective, brief: Self.palette.brief)
            guard let found = search.best(size: 3, open: Array(pool.indices)) else { continue }
            let traits = pool.map { SetObjective.trait(of: $0, in: Self.palette.brief) }
            let similarity = { (left: Int, right: Int) in
                left == right ? 1 : 1 - objective.distance(traits[left], traits[right])
            }
            let fits = { (next: Int, chosen: [Int]) in chosen.allSatisfy { rules.allows(pool[$0], pool[next]) } }
            let scores = pool.map(\.score)
            let others = [
                MarginalRelevance(lambda: generator.unit()).choose(
                    3,
                    scores: scores,
                    similarity: similarity,
                    fits: fits
                ),
                DeterminantalChoice(alpha: 8 * generator.unit())
                    .choose(3, scores: scores, similarity: similarity, fits: fits),
            ]
            for other in others where other.count == 3 && search.isAllowed(other) {
                #expect(search.value(of: found) >= search.value(of: other), "seed \(seed)")
            }
        }
    }

    @Test func `is among the best, of which none is nearly the same as a better one`() {
        let rules = SetRules(distinctMerchants: true, noNearDuplicates: true)
        var skipped = 0
        for seed in 0..<400 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let ranking = Ranking(Self.palette.pool(4 + Int(generator.next() % 20), &generator, coarse: seed % 5 == 0))
            let limit = 3 + Int(generator.next() % 8)
            var expected: [Int] = []
            for place in ranking.entries.indices where expected.count < limit {
                let isNew = !expected.contains {
                    Sameness.isNearDuplicate(ranking.entries[$0].item, ranking.entries[place].item)
                }
                if isNew || ranking.entries.count <= limit { expected.append(place) }
            }
            #expect(rules.considered(of: ranking, atMost: limit) == expected, "seed \(seed)")
            if expected != Array(0..<expected.count) { skipped += 1 }
        }
        #expect(skipped > 20)
    }

    @Test func `titles of one kind are near by the share of their words, whatever their lengths`() {
        for seed in 0..<2_000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            func some() -> StemSet { StemSet((0..<generator.next() % 12).map { _ in "w\(generator.next() % 14)" }) }
            let (left, right) = (some(), some())
            let (isNear, table) = (Sameness.overlap(left, right) >= 0.6, StemTable([left, right]))
            #expect(left.overlaps(right, 0.6) == isNear && table.overlaps(0, 1, 0.6) == isNear, "seed \(seed)")
            #expect(table.overlap(0, 1) == Sameness.overlap(left, right), "seed \(seed)")
        }
    }

    @Test func `keeps what is fixed, and finds the best beside it`() throws {
        for seed in 0..<300 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let pool = Ranking(Self.palette.pool(8, &generator)).entries
            let rules = SetRules(distinctMerchants: false, noNearDuplicates: false)
            let search = SetSearch(
                pool,
                objective: SetObjective(strength: 0.4, rules: rules),
                brief: Self.palette.brief
            )
            let found = try #require(search.best(size: 3, fixed: [6], open: [0, 2, 3, 5]))
            #expect(found.contains(6) && Set(found).isSubset(of: [6, 0, 2, 3, 5]), "seed \(seed)")
            let best = [0, 2, 3, 5].flatMap { left in
                [0, 2, 3, 5].filter { $0 > left }.map { search.value(of: [left, $0, 6]) }
            }.max()
            #expect(search.value(of: found) == best, "seed \(seed)")
        }
    }
}
