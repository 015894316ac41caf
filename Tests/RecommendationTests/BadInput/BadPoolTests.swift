import Fixtures
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

/// Pools that are too small, too large, doubled or absurd.
@Suite struct BadPoolTests {
    private static let gifts: [Candidate] = [
        .invented("clock", "Oak mantel clock"), .invented("scarf", "Lambswool scarf"),
        .invented("tray", "Slate serving tray"), .invented("lamp", "Brass desk lamp"),
    ]

    @Test(arguments: ShippedPipelines.names, 0...2)
    func `a pool of fewer than three is short, and everything in it is shown`(pipeline: String, count: Int) async throws
    {
        let run = try await Scene(Array(Self.gifts.prefix(count))).run(pipeline)
        #expect(run.outcome == .short)
        #expect(Set(run.shown) == Set(Self.gifts.prefix(count).map(\.id.text)))
        #expect(run.text() != nil && !run.isStored)
    }

    @Test func `a pool of nothing but dislikes shows nothing`() async throws {
        var scene = Scene([
            .invented("a", "PlayStation 5 console"), .invented("b", "Gaming headset"),
            .invented("c", "Nintendo Switch game"),
        ])
        scene.dislikes = ["Gaming"]
        let run = try await scene.run()
        #expect(run.outcome == .short && run.shown.isEmpty)
        #expect(run.report.counts[.dropped] == 3)
    }

    @Test func `of two candidates with one id the first stands`() async throws {
        var ports = Scene(Self.gifts).ports()
        ports.providers[.amazon] = Fixed(
            candidates: [.invented("clock", "Oak mantel clock"), .invented("clock", "Second thing", price: 3_000)])
        ports.providers[.yelp] = Fixed(candidates: [.invented("clock", "Third thing", provider: .yelp)] + Self.gifts)
        let run = try await Scene(Self.gifts).run(ports: ports)
        #expect(run.codes.contains("duplicate_id"))
        #expect(run.report.counts.retrieved == 4)
        #expect(run.shown.count == 3 && Set(run.shown).count == 3)
        let title = run.report.output(of: "aggregate", as: Pool<Offer>.self)?.items
            .first { $0.candidate.id.text == "clock" }?.candidate.title
        #expect(title == "Third thing" || title == "Oak mantel clock")
    }

    @Test func `numbers that are none, or absurd, break no arithmetic`() async throws {
        let odd: [Candidate] = [
            .invented("nan", "Oak stool", rating: .nan, reviews: .max), .invented("max", "Elm stool", price: .max),
            .invented("inf", "Ash stool", rating: .infinity, reviews: .min, ships: .max),
            .invented("head", "Supper at $92233720368547758 per person", price: .max),
            .invented("yen", "Fir stool", price: .max, currency: "KWD"),
            .invented("early", "Yew stool", price: .min, ships: .min),
        ]
        for pipeline in ShippedPipelines.names {
            let run = try await Scene(odd + Self.gifts).run(pipeline)
            #expect(run.shown.count == 3, "\(pipeline)")
            for choice in run.cards.values { #expect(choice.ranked.score.isFinite, "\(pipeline)") }
        }
    }

    @Test func `a title of a megabyte is read in a moment`() async throws {
        let long = String(repeating: "walnut and oak ", count: 70_000)
        let scene = Scene(Self.gifts + [.invented("long", long, description: long, merchant: long)])
        // Work by the square of its length would take hours.
        let run = try await scene.run(options: RunOptions(deadline: LastResort.limit))
        #expect(run.shown.count == 3)
    }

    /// A debug build is some fifty times slower, so it is given fewer; that a second is enough is for the benchmarks.
    @Test func `10,000 candidates are chosen from`() async throws {
        let count = _isDebugAssertConfiguration() ? 1_000 : 10_000
        let woods = ["Oak", "Elm", "Ash", "Yew", "Fir", "Pine", "Birch", "Beech", "Maple", "Cedar"]
        var scene = Scene(
            (0..<count).map { place in
                .invented(
                    "item-\(place)",
                    "\(woods[place % 10]) stool model\(place)",
                    provider: [.amazon, .shopify, .yelp, .ticketmaster, .firecrawl][place % 5],
                    price: 2_000 + place
                )
            }
        )
        scene.likes = ["Gardening"]
        scene.note("The old oak stool wobbles", serves: ["oak stool"])
        let run = try await scene.run(options: RunOptions(deadline: LastResort.limit))
        #expect(run.shown.count == 3 && run.report.counts.retrieved == count)
    }

    @Test func `an unknown zone is a reason, and the run goes on in UTC`() async throws {
        for zone in ["Mars/Olympus", "", "../../etc/passwd", "\u{0}"] {
            var scene = Scene(Self.gifts)
            scene.timeZone = zone
            let run = try await scene.run()
            #expect(run.shown.count == 3 && run.codes.contains("unknown_zone"), "\(zone)")
        }
    }

    @Test func `a currency without a rate is an unknown price and a reason`() async throws {
        let scene = Scene(Array(Self.gifts.prefix(2)) + [.invented("odd", "Cedar box", price: 500, currency: "XQX")])
        let run = try await scene.run()
        #expect(run.codes.contains("rate_missing") && run.outcome == .degraded)
        let odd = try #require(run.cards["odd"])
        #expect(odd.budgetCents == nil && odd.offer.candidate.priceCents == 500)
    }
}

/// A provider with one answer.
private struct Fixed: CandidateProvider {
    let candidates: [Candidate]
    let capabilities = ProviderCapability.wellKnown

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] { candidates }
}
