import Fixtures
import KnotDomain
import StageGraph
import TestSupport
import Testing

@testable import Recommendation

/// What a card says of a price is the actual cause: no price, no rate, or a price that moved.
@Suite("A reason about a price") struct PriceReasonTests {
    private func scene(_ candidate: Candidate) -> Scene {
        Scene([candidate, .invented("b", "Brass compass", ships: 1), .invented("c", "Walnut tray", ships: 1)])
    }

    @Test func `names the missing rate where the price is listed`() async throws {
        let run = try await scene(.invented("far", "Birch bark basket", price: 13_500, currency: "SEK", ships: 1)).run()
        let card = try #require(run.cards["far"])
        #expect(!card.reason.contains("not listed"), "\(card.reason)")
        #expect(card.reason.contains("SEK 135.00") && card.reason.contains("no exchange rate"), "\(card.reason)")
        #expect(card.budgetCents == nil)
        let evidence = card.ranked.total.evidence.first { $0.kind == "budget" }
        #expect(evidence?.ref == "rate_missing")
    }

    @Test func `says not listed only where no price is listed`() async throws {
        let run = try await scene(.invented("far", "Birch bark basket", price: nil, ships: 1)).run()
        let card = try #require(run.cards["far"])
        #expect(card.reason.contains("price is not listed"), "\(card.reason)")
        #expect(card.ranked.total.evidence.first { $0.kind == "budget" }?.ref == "unknown")
    }

    @Test func `says that a price moved where the page no longer shows the listed one`() async throws {
        var scene = scene(.invented("far", "Birch bark basket", price: 8_000, ships: 1))
        scene.facts["far"] = AvailabilityFact(check: .priceChanged, checkedPriceCents: nil)
        let card = try #require(try await scene.run().cards["far"])
        #expect(!card.reason.contains("not listed") && card.reason.contains("no longer"), "\(card.reason)")
    }
}
