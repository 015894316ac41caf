import Fixtures
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
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
        #expect(run.outcome == .degraded && run.codes.isSubset(of: ["no_embedder", "few_notes"]))
    }

    /// Pages that say one thing of the wanted gift, and nothing of others.
    private struct OnePage: AvailabilityChecker {
        let found: AvailabilityProbe

        func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
            candidate.id.text == "wanted" ? found : AvailabilityProbe(status: 200, signal: .none, price: .notLooked)
        }
    }

    @Test func `a page that asks in another currency asks its own price and no more the listed one`() async throws {
        let scene = Self.scene(.available)
        var ports = scene.ports()
        for (code, price) in [("EUR", 7_000 as Int?), ("ZMW", nil)] {
            var probe = AvailabilityProbe(status: 200, signal: .inStock, price: .minorUnits(7_000))
            probe.currency = Currency(code)
            ports.checker = OnePage(found: probe)
            let run = try await scene.run(ports: ports)
            let card = try #require(run.cards["wanted"], "\(code)")
            #expect(card.offer.candidate.priceCents == price, "\(code)")
            if price != nil { #expect(card.offer.candidate.currency.code == code) }
        }
    }

    @Test func `a link that misleads is replaced from the reserve`() async throws {
        let scene = Self.scene(.available)
        var ports = scene.ports()
        ports.checker = OnePage(found: AvailabilityProbe(status: nil, signal: .misleading, price: .notLooked))
        let run = try await scene.run(ports: ports)
        #expect(run.end(of: "wanted") == .lost && run.shown.count == 3)
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
        #expect(card.reason.contains("Its listed price no longer holds"))
    }

    /// A page that says when a parcel arrives.
    private struct DeliveryPage: AvailabilityChecker {
        let days: [String: Int]

        func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
            AvailabilityProbe(
                status: 200,
                signal: .inStock,
                price: .notLooked,
                deliveryDays: candidate.id.text == "wanted" ? days : [:]
            )
        }
    }

    /// The day is five days away, and the vault is in the United States.
    @Test(
        arguments: [
            (["US": 6], true), (["US": 5], false), (["": 6], true), (["": 60, "US": 5], false), (["DE": 60], false),
            ([:], false), (["US": 0], false),
        ] as [([String: Int], Bool)]
    )
    func `what its page says arrives after the day is replaced from the reserve`(
        days: [String: Int],
        isLost: Bool
    ) async throws {
        var scene = Self.scene(.available)
        scene.celebrate("2000-03-06")
        scene.location = Place(city: "Portland", state: "OR", country: "US")
        var ports = scene.ports()
        ports.checker = DeliveryPage(days: days)
        let run = try await scene.run(ports: ports)
        #expect((run.end(of: "wanted") == .lost) == isLost, "\(days)")
        #expect(run.shown.count == 3 && run.shown.contains("wanted") == !isLost)
        if isLost { #expect(run.lossReason(of: "wanted") == "arrives_late") }
    }

    /// A page that asks several prices for something without a listed one.
    private struct PricedPage: AvailabilityChecker {
        let price: AvailabilityProbe.PriceFinding
        var currency: Currency?

        func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
            let isWanted = candidate.id.text == "wanted"
            var probe = AvailabilityProbe(status: 200, signal: .inStock, price: isWanted ? price : .notLooked)
            probe.currency = isWanted ? currency : nil
            return probe
        }
    }

    /// Whoever listed no price did not say in which currency it is either.
    @Test(
        arguments: [
            ("GBP", .minorUnits(90_000), nil, true), ("GBP", .minorUnits(5_000), 5_000, false),
            ("JPY", .minorUnits(9_000), 9_000, false), ("JPY", .between(9_000, 9_000_000), nil, false),
            ("GBP", .between(90_000, nil), nil, true), ("XTS", .minorUnits(90_000), nil, false),
        ] as [(String, AvailabilityProbe.PriceFinding, Int?, Bool)]
    )
    func `what its page asks in another currency is held against the budget where nobody listed a price`(
        code: String,
        price: AvailabilityProbe.PriceFinding,
        shown: Int?,
        isLost: Bool
    ) async throws {
        var scene = Self.scene(.available)
        scene.candidates[0] = .invented("wanted", "Copper watering can", price: nil)
        var ports = scene.ports()
        let page = PricedPage(price: price, currency: Currency(code))
        ports.checker = page
        let run = try await scene.run(ports: ports)
        #expect((run.end(of: "wanted") == .lost) == isLost && run.shown.count == 3)
        if !isLost {
            let card = try #require(run.cards["wanted"])
            #expect(card.offer.candidate.priceCents == shown)
            #expect((card.offer.candidate.currency.code == code) == (code != "XTS"))
            #expect((card.budgetCents != nil) == (shown != nil))
        }
        let probe = try await page.probe(scene.candidates[0])
        #expect(AvailabilityProbe(json: probe.json) == probe)
    }

    @Test(
        arguments: [
            (.between(20_001, 90_000), true), (.between(20_001, nil), true), (.between(500, 1_999), true),
            (.between(500, nil), false), (.between(500, 90_000), false), (.between(500, 2_000), false),
            (.between(20_000, 90_000), false),
        ] as [(AvailabilityProbe.PriceFinding, Bool)]
    )
    func `what costs too much or too little whichever it is loses the item, and is unknown else`(
        price: AvailabilityProbe.PriceFinding,
        isLost: Bool
    ) async throws {
        var scene = Self.scene(.available)
        scene.candidates[0] = .invented("wanted", "Copper watering can", price: nil)
        var ports = scene.ports()
        ports.checker = PricedPage(price: price)
        let run = try await scene.run(ports: ports)
        #expect((run.end(of: "wanted") == .lost) == isLost && run.shown.count == 3)
        if !isLost { #expect(run.cards["wanted"]?.offer.candidate.priceCents == nil) }
        let probe = AvailabilityProbe(status: 200, signal: .inStock, price: price)
        #expect(AvailabilityProbe(json: probe.json) == probe)
    }

    @Test func `what a page says of delivery is recorded, and nothing is where it says nothing`() {
        let probe = AvailabilityProbe(
            status: 200,
            signal: .inStock,
            price: .minorUnits(9),
            deliveryDays: ["US": 3, "": 9]
        )
        #expect(AvailabilityProbe(json: probe.json) == probe)
        let silent = AvailabilityProbe(status: 200, signal: .inStock, price: .notLooked)
        #expect(silent.json == ["status": 200, "signal": "in_stock", "price": "not_looked"])
        let odd: JSONValue = [
            "status": 200, "signal": "in_stock", "price": "not_looked",
            "delivery_days": ["US": -1, "DE": 366, "AT": "x"],
        ]
        #expect(AvailabilityProbe(json: odd) == silent)
    }

    @Test func `fewer than three that can be had is short, not padded`() async throws {
        var scene = Self.scene(.gone)
        for id in ["clock", "scarf"] { scene.facts[id] = AvailabilityFact(check: .soldOut, checkedPriceCents: nil) }
        let run = try await scene.run()
        #expect(run.outcome == .short && run.shown == ["tray"])
        #expect(run.report.counts[.lost] == 3)
    }

    /// A title that shares no word with any other.
    private static func title(_ number: Int) -> String {
        let syllables = [
            "ba", "do", "fe", "gu", "ki", "lo", "ma", "nu", "pe", "ri", "so", "ta", "vu", "we", "zo", "hy",
        ]
        return ["r", "l", "n"].map { end in
            syllables[number >> 8 & 15] + syllables[number >> 4 & 15] + syllables[number & 15] + end
        }.joined(separator: " ")
    }

    /// Many offers of which only the last few by score can be had.
    private static func soldOut(_ count: Int, available: [Int]) -> Scene {
        var scene = Scene(
            (0..<count).map { place in
                .invented("c\(place + 10_000)", Self.title(place), price: 9_000, ships: 2)
            }
        )
        for place in 0..<count where !available.contains(place) {
            scene.facts["c\(place + 10_000)"] = AvailabilityFact(check: .soldOut, checkedPriceCents: nil)
        }
        return scene
    }

    /// As long as a busy machine may need, so that only what is asked about decides.
    private static func patiently(_ scene: Scene) async throws -> EngineRun {
        let plan = try Scene.plan(
            ShippedPipelines.standard,
            settings: ["check.time_s=60"],
            patch: ["deadline": "100s", "nodes": ["check": ["life": "90s"]]]
        )
        return await Scene.engine.report(plan, ports: scene.ports(), options: RunOptions())
    }

    @Test(arguments: [30, 300, 1_000])
    func `three that can be had are found however many before them cannot`(count: Int) async throws {
        let run = try await Self.patiently(Self.soldOut(count, available: [count - 1, count - 2, count - 9]))
        #expect(Set(run.shown) == Set([1, 2, 9].map { "c\(count - $0 + 10_000)" }))
        #expect(run.outcome == .degraded && !run.codes.contains("few_available"))
    }

    @Test func `where fewer can be had, it is said how many were looked at`() async throws {
        let run = try await Self.patiently(Self.soldOut(60, available: [59]))
        #expect(run.outcome == .short && run.shown == ["c10059"])
        let reason = try #require(run.report.reasons.first { $0.code == "few_available" })
        #expect(reason.detail == "60 candidates were looked at and 59 could not be had; there is no other")
        #expect(run.report.counts[.lost] == 59)
    }

    @Test func `a pool of two says nothing of availability`() async throws {
        let run = try await Self.soldOut(2, available: [0, 1]).run()
        #expect(run.outcome == .short && !run.codes.contains("few_available"))
    }

    /// The looks themselves answer at once: the time runs out between them, while others are sought in a long reserve.
    @Test func `looking ends with its time, and says so`() async throws {
        let scene = Self.soldOut(1_000, available: [])
        let plan = try Scene.plan(
            ShippedPipelines.standard,
            settings: ["check.time_s=0.01"],
            patch: ["deadline": "100s", "nodes": ["check": ["life": "90s"]]]
        )
        let engine = Engine(threads: 8)
        let run = await engine.report(plan, ports: scene.ports(), options: RunOptions())
        #expect(run.outcome == .short)
        let reason = try #require(run.report.reasons.first { $0.code == "few_available" })
        #expect(reason.detail.contains("the time was over before the other"))
    }
}
