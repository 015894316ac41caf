import Evaluation
import Fixtures
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

/// What the classic pipeline gets wrong in choosing a set: flaws 6 to 9, 12 and 15, each shown, each absent from ours.
@Suite struct ClassicFlawsInChoosingTests {
    private static let plain = ["Oak mantel clock", "Lambswool scarf", "Slate serving tray", "Brass desk lamp"]

    /// Gifts that nothing speaks for or against.
    private static func fillers(_ count: Int = 4) -> [Candidate] {
        plain.prefix(count).enumerated().map { .invented("plain-\($0.offset)", $0.element, price: 7_000, ships: 1) }
    }

    @Test func `flaw 6: days left, shipping time and event dates are ignored`() async throws {
        var scene = Scene(
            [
                .invented("late", "Cycling mirror", price: 7_000, ships: 30),
                .invented(
                    "after",
                    "Cycling film night",
                    provider: .ticketmaster,
                    type: .date,
                    price: 7_000,
                    startsAt: "2026-03-20T19:00:00Z"
                ),
                .invented(
                    "over",
                    "Cycling fair",
                    provider: .ticketmaster,
                    type: .experience,
                    price: 7_000,
                    startsAt: "2026-02-20T19:00:00Z"
                ),
            ] + Self.fillers()
        )
        scene.likes = ["Cycling"]
        scene.celebrate("2000-03-06")
        let classic = try await scene.run("classic")
        #expect(!Set(classic.shown).isDisjoint(with: ["late", "after", "over"]))
        let ours = try await scene.run()
        #expect(ours.dropReason(of: "late") == "arrives_late")
        #expect(ours.dropReason(of: "after") == "too_late")
        #expect(ours.dropReason(of: "over") == "already_past")
        #expect(ours.shown.count == 3)
    }

    @Test func `flaw 7: diversity beats relevance`() async throws {
        let wanted = [
            Candidate.invented("bell", "Cycling bell with a camping compass", price: 2_500),
            .invented("pump", "Floor pump for cycling and camping", price: 2_500),
            .invented("bag", "Handlebar bag: cycling, camping, commuting", price: 2_500),
        ]
        let unwanted = [
            Candidate.invented("middle", "Slate serving tray", price: 11_000),
            Candidate.invented("dear", "Oak mantel clock", price: 19_000),
        ]
        var scene = Scene(wanted + unwanted)
        scene.likes = ["Cycling", "Camping"]
        let classic = try await scene.run("classic")
        #expect(Set(classic.shown).isSuperset(of: ["middle", "dear"]))
        let ours = try await scene.run()
        #expect(Set(ours.shown) == ["bell", "pump", "bag"])
    }

    @Test func `flaw 7: a replacement bypasses diversity`() async throws {
        var scene = Scene([
            .invented("first", "Cycling and camping lantern", price: 2_500, merchant: "Wheelhouse"),
            .invented("second", "Cycling and camping stove", price: 2_600, merchant: "Wheelhouse"),
            .invented("lost", "Slate serving tray", price: 11_000, merchant: "Quarry"),
            .invented("third", "Oak mantel clock", price: 19_000, merchant: "Joiner"),
            .invented("other", "Lambswool scarf", price: 9_000, merchant: "Weaver"),
        ])
        scene.likes = ["Cycling", "Camping"]
        // Gone in both worlds, so that both have to refill.
        for id in ["lost", "third"] { scene.facts[id] = AvailabilityFact(check: .gone, checkedPriceCents: nil) }
        let classic = try await scene.run("classic")
        #expect(Set(classic.shown).isSuperset(of: ["first", "second"]))
        scene.candidates.append(.invented("fourth", "Brass desk lamp", price: 12_000, merchant: "Foundry"))
        let ours = try await scene.run()
        #expect(Set(ours.cards.values.compactMap(\.offer.candidate.merchant)).count == 3)
    }

    @Test func `flaw 7: an unknown price counts as the middle, without a word`() async throws {
        var scene = Scene([
            .invented("unknown", "Slate serving tray", price: nil), .invented("low", "Oak mantel clock", price: 2_500),
            .invented("high", "Lambswool scarf", price: 19_000),
        ])
        scene.likes = []
        let classic = try await scene.run("classic")
        #expect(classic.cards["unknown"]?.ranked.score == classic.cards["low"]?.ranked.score)
        let ours = try await scene.run()
        let unknown = try #require(ours.cards["unknown"])
        #expect(unknown.budgetCents == nil && unknown.reason.contains("not listed"))
        #expect(unknown.ranked.score < (try #require(ours.cards["low"])).ranked.score)
    }

    @Test func `flaw 8: the same trio comes back although it was given already`() async throws {
        var scene = Scene(
            [
                .invented(
                    "again",
                    "Cycling and camping route atlas",
                    url: "https://www.maps.example/atlas?utm_source=x",
                    price: 7_000
                ),
                .invented("same", "Cycling and camping jersey in merino wool", price: 7_000, merchant: "Peloton"),
                .invented("refused", "Cycling and camping cap", price: 7_000, merchant: "Kitsch Corner"),
            ] + Self.fillers()
        )
        scene.likes = ["Cycling", "Camping"]
        let given = [Feedback(action: .purchased, rating: nil, reason: nil)]
        scene.remember("Atlas", url: "http://maps.example/atlas/", feedback: given)
        scene.remember("Merino wool jersey for cycling and camping", merchant: "Peloton", feedback: given)
        scene.remember(
            "Novelty socks",
            merchant: "Kitsch Corner",
            feedback: [Feedback(action: .rated, rating: 1, reason: nil)]
        )
        let classic = try await scene.run("classic")
        #expect(Set(classic.shown).isSubset(of: ["again", "same", "refused"]))
        let ours = try await scene.run()
        #expect(ours.dropReason(of: "again") == "already_given")
        #expect(ours.dropReason(of: "same") == "already_given")
        #expect(ours.dropReason(of: "refused") == "already_refused")
        #expect(ours.shown.count == 3)
    }

    @Test func `flaw 9: a refresh forgets everything, and when nothing is left something is made up`() async throws {
        var scene = Scene(Self.fillers() + [.invented("fifth", "Copper watering can", price: 7_000, ships: 1)])
        scene.celebrate("2000-03-15")
        func refreshed(_ pipeline: String, after run: EngineRun) async throws -> EngineRun {
            let document = try #require(run.document())
            let refresh = try #require(
                RefreshDocument.next(after: JSONReader(document), reason: .showDifferent, rejected: [])
            )
            return try await scene.run(pipeline, refresh: refresh)
        }
        let classic = try await scene.run("classic")
        #expect(try await refreshed("classic", after: classic).shown == classic.shown)
        let ours = try await scene.run()
        let second = try await refreshed(ShippedPipelines.standard, after: ours)
        #expect(Set(second.shown).isDisjoint(with: ours.shown))
        #expect(second.document()?["milestone_id"] == ours.document()?["milestone_id"])
        #expect(second.outcome == .short && second.shown.count == 2)
        let third = try await refreshed(ShippedPipelines.standard, after: second)
        #expect(third.outcome == .short && third.shown.isEmpty)
    }

    @Test func `flaw 12: currencies are bare cents and prices per head count once`() async throws {
        var scene = Scene(
            [
                .invented("pounds", "Cycling lamp", price: 19_000, currency: "GBP"),
                .invented("yen", "Cycling bell", price: 2_500, currency: "JPY"),
                .invented("dear-yen", "Cycling horn", price: 20_000, currency: "JPY"),
                .invented(
                    "head",
                    "Cycling supper",
                    provider: .yelp,
                    type: .experience,
                    description: "Dinner at $120 per person",
                    price: 12_000
                ),
            ] + Self.fillers(2)
        )
        scene.likes = ["Cycling"]
        let classic = try await scene.run("classic")
        for id in ["pounds", "yen", "head"] { #expect(classic.end(of: id) != .cut, "\(id)") }
        let ours = try await scene.run()
        #expect(ours.dropReason(of: "pounds") == "over_budget")
        #expect(ours.dropReason(of: "yen") == "under_budget")
        #expect(ours.dropReason(of: "head") == "over_budget")
        let card = try #require(ours.cards["dear-yen"])
        // ¥20000 at 150 for a dollar.
        #expect(card.budgetCents == 13_333 && card.offer.candidate.priceCents == 20_000)
    }

    @Test func `flaw 15: nothing says why`() async throws {
        var scene = Scene([.invented("gloves", "Fleece-lined gardening gloves", price: 7_000)] + Self.fillers())
        scene.note("Her hands are always cold at the allotment", serves: ["lined gardening gloves"], stance: .needs)
        let classic = try await scene.run("classic")
        #expect(classic.cards.values.allSatisfy { $0.hints.isEmpty && !$0.reason.contains("noted") })
        let ours = try await scene.run()
        let card = try #require(ours.cards["gloves"])
        #expect(card.reason.contains("you noted: \u{201C}Her hands are always cold at the allotment\u{201D}"))
        #expect(card.ranked.total.evidence.contains { $0.kind == "hint" && $0.ref == "hint-1" && $0.weight > 0 })
        let document = try #require(ours.document())
        for choice in document["choices"]?.array ?? [] {
            let parts = choice["contributions"]?.object?.members.compactMap(\.value.double) ?? []
            let score = try #require(choice["score"]?.double)
            #expect(!parts.isEmpty && abs(parts.reduce(0, +) - score) < 1e-12)
            #expect(choice["providers"]?.array?.isEmpty == false)
        }
        #expect(document["pipeline"]?["hash"]?.string?.count == 64)
    }
}
