import Evaluation
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

/// One thing found twice is one offer: the best of it, of what the rules let pass.
@Suite struct ShortlistTwinsTests {
    private static func scene() -> Scene {
        Scene([
            .invented("clock", "Oak mantel clock"), .invented("scarf", "Lambswool scarf"),
            .invented("tray", "Slate serving tray", type: .experience),
        ])
    }

    @Test func `what a rule drops takes no twin along that passes`() async throws {
        var scene = Self.scene()
        let url = "https://shop.example/lamp"
        scene.candidates.insert(.invented("dear", "Brass desk lamp", url: url, price: 90_000), at: 0)
        scene.candidates.append(.invented("fair", "Brass desk lamp", provider: .shopify, url: url))
        let run = try await scene.run()
        #expect(run.dropReason(of: "dear") == "over_budget" && run.end(of: "fair") != .merged)
    }

    @Test(arguments: [false, true]) func `the better offer stays, with both provenances, in whatever order`(
        isTurned: Bool
    ) async throws {
        var scene = Self.scene()
        let twins: [Candidate] = [
            .invented("cheap", "Brass desk lamp", url: "https://shop.example/lamp", price: 7_000),
            .invented("dear", "Brass desk lamp", provider: .shopify, url: "https://shop.example/lamp", price: 9_000),
        ]
        scene.candidates += isTurned ? twins.reversed() : twins
        let run = try await scene.run()
        #expect(run.end(of: "dear") == .merged && run.end(of: "cheap") != .merged)
        let pool = run.report.output(of: "distinct", as: Pool<Offer>.self)
        let kept = try #require(pool?.items.first { $0.candidate.id.text == "cheap" })
        #expect(Set(kept.provenance) == [.amazon, .shopify])
    }

    @Test func `ids that come again are counted and said`() async throws {
        var scene = Self.scene()
        scene.candidates += [
            .invented("clock", "Another clock"), .invented("clock", "A third clock", provider: .yelp),
            .invented("lamp", "Brass desk lamp"),
        ]
        let run = try await scene.run()
        #expect(run.codes.contains("duplicate_id"))
        #expect(run.report.counts.doubled == 2 && run.report.counts.retrieved == 4)
        #expect(run.document()?["counts"]?["doubled"]?.int == 2)
    }
}
