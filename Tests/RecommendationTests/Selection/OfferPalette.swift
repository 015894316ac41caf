import JSONDocument
import KnotDomain
import TestSupport
import Threads

@testable import Recommendation
@testable import StageGraph

/// Offers made once, from which random pools are drawn: few merchants, titles and prices, so that rules often bind.
struct OfferPalette {
    let offers: [Offer]
    let brief: Brief

    static let shared = OfferPalette()

    private init() {
        let titles = [
            "Copper watering can", "Copper watering can with rose", "Walnut chess board", "Evening kayak tour",
            "Lambswool throw", "Pottery wheel lesson", "Brass desk lamp", "Brass desk lamp with shade",
            "Night market walk",
            "Fern terrarium", "Sourdough starter jar", "Film camera strap",
        ]
        offers = (0..<48).map { place in
            Offer(
                .invented(
                    "item-\(place)",
                    titles[place % titles.count],
                    type: CandidateType.allCases[(place / 5) % 3],
                    price: place % 7 == 0 ? nil : 2_000 + 350 * place,
                    merchant: "Merchant \(place % 9)"
                )
            )
        }
        let scene = Scene()
        brief = Brief(
            vault: scene.vault,
            tier: .minorOccasion,
            milestone: nil,
            occurrence: nil,
            asOf: scene.now,
            today: ZoneRules.utc.localDate(at: scene.now),
            zone: .utc,
            budget: scene.budget,
            rates: scene.rates,
            refresh: nil
        )
    }

    /// A pool of so many offers with random scores and hints, some of them equal.
    func pool(_ count: Int, _ generator: inout SeededGenerator, coarse: Bool = false) -> [Ranked<Offer>] {
        let drawn = offers.shuffled(using: &generator).prefix(count)
        return drawn.map { offer in
            let score = coarse ? Double(generator.next() % 4) / 4 : generator.unit()
            let hint = Evidence(kind: "hint", ref: "hint-\(generator.next() % 4)", weight: generator.unit())
            return Ranked(
                item: offer,
                total: Total(parts: [Total.Part(name: "drawn", value: score)], evidence: [hint])
            )
        }
    }

    /// Runs a selector outside any graph.
    func select<Selector: SelectStage>(
        _ selector: Selector,
        from pool: [Ranked<Offer>]
    ) async throws -> Selection<Offer> where Selector.Item == Offer {
        let inputs = StageInputs(["brief": [StageInputs.Arrival(node: "brief", value: brief)]])
        let context = StageContext(alone: "select", deadlines: DeadlineScheduler(executor: StageExecutor(threads: 1)))
        return try await selector.select(from: Ranking(pool), inputs, in: context)
    }
}

extension ParameterValues {
    /// Settings of an exact selection.
    static func exact(
        strength: Double,
        secondType: Double = 0,
        rules: SetRules = SetRules(
            distinctMerchants: true,
            noNearDuplicates: true,
            distinctKinds: true
        )
    ) -> ParameterValues {
        ParameterValues([
            "strength": Setting(value: .number(strength), layer: .file),
            "second_type": Setting(value: .number(secondType), layer: .file),
            "distinct_merchants": Setting(value: .bool(rules.distinctMerchants), layer: .file),
            "distinct_kinds": Setting(value: .bool(rules.distinctKinds), layer: .file),
            "no_near_duplicates": Setting(value: .bool(rules.noNearDuplicates), layer: .file),
        ])
    }
}
