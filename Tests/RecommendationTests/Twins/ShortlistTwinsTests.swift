import Fixtures
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

    private static let text =
        "Solid brass with a linen shade, a woven cord and a switch that clicks, made in a small foundry."

    @Test func `copies under other merchants' names are one thing, and stars of their own are not worth more`()
        async throws
    {
        var scene = Self.scene()
        for (place, merchant) in ["Aero Gifts", "Best Finds", "Cosy Corner"].enumerated() {
            scene.candidates.append(
                .invented(
                    "a\(place)",
                    "Brass desk lamp",
                    provider: .shopify,
                    description: Self.text,
                    url: "https://copy\(place).example/lamp",
                    merchant: merchant,
                    rating: 5,
                    reviews: 1_000_000
                )
            )
        }
        scene.candidates.append(
            .invented(
                "own",
                "Brass desk lamp",
                description: Self.text,
                merchant: "Lampwright",
                rating: 4.8,
                reviews: 900
            )
        )
        let run = try await scene.run()
        #expect(run.end(of: "own") != .merged)
        for copy in ["a0", "a1", "a2"] { #expect(run.end(of: copy) == .merged, "\(copy)") }
        // One merchant says the same of several things.
        scene.candidates = Self.scene().candidates
        for (id, title) in [("red", "Red brass lamp"), ("blue", "Blue steel torch")] {
            scene.candidates.append(.invented(id, title, description: Self.text, merchant: "Lampwright"))
        }
        let several = try await scene.run()
        #expect(several.end(of: "red") != .merged && several.end(of: "blue") != .merged)
    }

    @Test func `a price that one lists for a page holds for whoever leads there without one`() async throws {
        var scene = Self.scene()
        let page = "https://shop.example/lamp"
        scene.candidates += [
            .invented("open", "Brass desk lamp - Shop", provider: .firecrawl, url: page + "?utm_source=x", price: nil),
            .invented("dear", "Brass desk lamp", provider: .shopify, url: page, price: 90_000),
        ]
        let run = try await scene.run()
        #expect(run.dropReason(of: "dear") == "over_budget" && run.dropReason(of: "open") == "over_budget")
        scene.candidates.removeLast()
        scene.candidates.append(.invented("fair", "Brass desk lamp", provider: .shopify, url: page, price: 9_000))
        let fair = try await scene.run()
        let pool = fair.report.output(of: "aggregate", as: Pool<Offer>.self)
        let offer = try #require(pool?.items.first { $0.candidate.id.text == "open" })
        #expect(offer.candidate.priceCents == 9_000 && offer.price.totalCents == 9_000)
        #expect(offer.provenance == [.firecrawl, .shopify])
    }

    @Test func `a page for which several prices are listed has none for the others`() async throws {
        var scene = Self.scene()
        let page = "https://shop.example/lamps"
        scene.candidates += [
            .invented("open", "Brass desk lamp", provider: .firecrawl, url: page, price: nil),
            .invented("small", "Small tin lantern", provider: .shopify, url: page, price: 6_000),
            .invented("large", "Tall oak torch", provider: .amazon, url: page, price: 9_000),
        ]
        let run = try await scene.run()
        let pool = run.report.output(of: "aggregate", as: Pool<Offer>.self)
        let offer = try #require(pool?.items.first { $0.candidate.id.text == "open" })
        #expect(offer.candidate.priceCents == nil && offer.provenance == [.firecrawl])
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
