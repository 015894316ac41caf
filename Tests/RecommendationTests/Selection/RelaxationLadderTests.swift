import Fixtures
import JSONDocument
import KnotDomain
import Shipped
import StageGraph
import TestSupport
import Testing
import TextReading

@testable import Recommendation

/// Every selector goes down the same ladder: what one cannot keep, none can, and what one keeps, all do.
@Suite struct RelaxationLadderTests {
    private static let palette = OfferPalette.shared

    private static func greedy(_ method: SelectGreedy.Method, _ generator: inout SeededGenerator) -> SelectGreedy {
        SelectGreedy(
            ParameterValues([
                "method": .init(value: .string(method.rawValue), layer: .file),
                "lambda": .init(value: .number(generator.unit()), layer: .file),
                "alpha": .init(value: .number(12 * generator.unit()), layer: .file),
            ])
        )
    }

    /// Pools in which rules bind: few offers, of one house or one type often.
    private static func pool(_ generator: inout SeededGenerator) -> [Ranked<Offer>] {
        let bits = generator.next()
        let all = palette.pool(3 + Int(generator.next() % 40), &generator, coarse: bits & 1 == 0)
        let kept = all.filter { ranked in
            (bits & 6 != 0 || ranked.item.candidate.type == .gift)
                && (bits & 24 != 0 || ["Merchant 1", "Merchant 4"].contains(ranked.item.candidate.merchant))
                && (bits & 96 != 0 || ranked.item.candidate.title.hasPrefix("Copper"))
        }
        return Array(kept.prefix(1 + Int(generator.next() % 12)))
    }

    @Test(arguments: 0..<10) func `MMR and DPP find sets as great as the exact search's, and give up the same rules`(
        batch: UInt64
    ) async throws {
        for seed in (batch * 60)..<(batch * 60 + 60) {
            var generator = SeededGenerator(seed: seed &+ 7_000)
            let pool = Self.pool(&generator)
            let exact = try await Self.palette.select(SelectExact(.exact(strength: 0.08)), from: pool)
            for method in SelectGreedy.Method.allCases {
                let found = try await Self.palette.select(Self.greedy(method, &generator), from: pool)
                #expect(found.selected.count == exact.selected.count, "seed \(seed), \(method)")
                #expect(found.relaxations == exact.relaxations, "seed \(seed), \(method)")
                Self.expectApart(found.selected.map(\.item), "seed \(seed), \(method)")
            }
            Self.expectApart(exact.selected.map(\.item), "seed \(seed), exact")
        }
    }

    private static func expectApart(_ offers: [Offer], _ what: Comment) {
        for (place, left) in offers.enumerated() {
            for right in offers[(place + 1)...] { #expect(!Sameness.isNearDuplicate(left, right), what) }
        }
    }

    @Test(arguments: ["exact", "mmr", "dpp"]) func `a run never breaks a law, however few and alike the offers are`(
        method: String
    ) async throws {
        let titles = [
            "Copper can", "Copper can with rose", "Walnut board", "Kayak tour", "Brass lamp", "Brass lamp, tall",
        ]
        let greedy: JSONValue = [
            "kind": "select.greedy", "parameters": ["strength": .null, "method": .string(method)],
        ]
        let patch: JSONValue? = method == "exact" ? nil : ["nodes": ["select": greedy]]
        for seed in 0..<40 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var scene = Scene()
            for place in 0..<(2 + Int(generator.next() % 6)) {
                let title = titles[Int(generator.next() % 6)]
                let house = "House \(generator.next() % 3)"
                scene.candidates.append(.invented("item-\(place)", title, merchant: house))
                if generator.next() % 3 == 0 {
                    scene.facts["item-\(place)"] = AvailabilityFact(check: .soldOut, checkedPriceCents: nil)
                }
            }
            let plan = try Scene.plan(ShippedPipelines.standard, patch: patch)
            let run = await Scene.engine.report(plan, ports: scene.ports(), options: RunOptions())
            #expect(run.report.failedNode == nil, "seed \(seed): \(run.report.reasons)")
            #expect(Set(run.shown.compactMap { run.cards[$0]?.offer.candidate.title }).count == run.shown.count)
        }
    }

    @Test func `eight identical offers are one card, and the set says why it is short`() async throws {
        var scene = Scene()
        for place in 0..<8 { scene.candidates.append(.invented("item-\(place)", "Copper watering can")) }
        let run = try await scene.run()
        #expect(run.shown.count == 1 && run.outcome == .short)
        #expect(run.codes.contains("near_duplicates"))
    }

    @Test func `thousands of copies of a few offers hide none of them`() async throws {
        let titles = ["Copper watering can", "Walnut chess board", "Evening kayak tour", "Lambswool throw"]
        var scene = Scene()
        for place in 0..<900 {
            let title = titles[place % 4]
            scene.candidates.append(.invented("item-\(place)", title, merchant: "House of number\(place)"))
        }
        let run = try await scene.run()
        #expect(Set(run.shown.compactMap { run.cards[$0]?.offer.candidate.title }).count == 3)
    }
}
