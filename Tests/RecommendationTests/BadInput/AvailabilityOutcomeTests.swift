import Evaluation
import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

/// What each answer of the outside makes of a choice, in both pipelines.
@Suite struct AvailabilityOutcomeTests {
    /// Four gifts of which the wanted one would always be shown.
    private static func scene(_ check: AvailabilityFact.Check, now price: Int? = nil) -> Scene {
        var scene = Scene([
            .invented("wanted", "Copper watering can", price: 9_000), .invented("clock", "Oak mantel clock"),
            .invented("scarf", "Lambswool scarf"), .invented("tray", "Slate serving tray"),
        ])
        scene.note("Her watering can leaks", serves: ["copper watering can"], stance: .needs)
        scene.facts["wanted"] = AvailabilityFact(check: check, checkedPriceCents: price)
        return scene
    }

    @Test(arguments: [AvailabilityFact.Check.soldOut, .closed, .gone])
    func `what cannot be had is replaced from the reserve`(check: AvailabilityFact.Check) async throws {
        let run = try await Self.scene(check).run()
        #expect(run.end(of: "wanted") == .lost && run.shown.count == 3)
        #expect(run.outcome == .degraded && run.codes.isSubset(of: ["no_embedder"]))
    }

    @Test func `a bot wall is unknown and not dead, save for classic`() async throws {
        let run = try await Self.scene(.blocked).run()
        #expect(run.cards["wanted"]?.availability == "unknown")
        #expect(run.codes.contains("availability_unknown"))
        let classic = try await Self.scene(.blocked).run("classic")
        #expect(classic.end(of: "wanted") != .chosen)
    }

    @Test func `classic shows what is sold out or closed`() async throws {
        for check in [AvailabilityFact.Check.soldOut, .closed] {
            var scene = Self.scene(check)
            scene.candidates.removeLast()
            #expect(try await scene.run("classic").shown.contains("wanted"), "\(check)")
        }
    }

    @Test func `a price that left the budget loses the item`() async throws {
        for price in [20_001, 1_999] {
            let run = try await Self.scene(.priceChanged, now: price).run()
            #expect(run.end(of: "wanted") == .lost && run.shown.count == 3, "\(price)")
        }
    }

    @Test func `a price that moved inside the budget is shown as checked`() async throws {
        for price in [20_000, 2_000, 9_000] {
            let run = try await Self.scene(.priceChanged, now: price).run()
            let card = try #require(run.cards["wanted"])
            #expect(card.offer.candidate.priceCents == price && card.budgetCents == price, "\(price)")
            #expect(card.reason.contains("within your"), "\(price)")
        }
    }

    @Test func `a price that is no longer told is kept as unknown`() async throws {
        let run = try await Self.scene(.priceChanged, now: nil).run()
        let card = try #require(run.cards["wanted"])
        #expect(card.offer.candidate.priceCents == nil && card.budgetCents == nil)
        #expect(card.reason.contains("not listed"))
    }

    @Test func `fewer than three that can be had is short, not padded`() async throws {
        var scene = Self.scene(.gone)
        for id in ["clock", "scarf"] { scene.facts[id] = AvailabilityFact(check: .soldOut, checkedPriceCents: nil) }
        let run = try await scene.run()
        #expect(run.outcome == .short && run.shown == ["tray"])
        #expect(run.report.counts[.lost] == 3)
    }
}
