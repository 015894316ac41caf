import KnotDomain
import StageGraph
import TestSupport
import Testing

@testable import Recommendation

/// Reasons are held against the facts, and no false claim passes.
@Suite struct ReasonCheckTests {
    private static let brief: Brief = {
        var scene = Scene()
        scene.partner = "Ines"
        scene.likes = ["Coffee"]
        scene.note("Her old kettle drips", daysAgo: 10)
        return Brief(
            vault: scene.vault,
            tier: .majorMilestone,
            milestone: nil,
            occurrence: CivilDate(iso8601: "2026-03-10"),
            asOf: scene.now,
            today: ZoneRules.utc.localDate(at: scene.now),
            zone: .utc,
            budget: scene.budget,
            rates: scene.rates,
            refresh: nil
        )
    }()

    private static let offer = Offer(
        .invented("kettle", "Gooseneck kettle", price: 8_000, startsAt: "2026-03-05T18:00:00Z", ships: 5)
    )

    private func problem(_ claim: Reason.Claim, _ offer: Offer = offer) -> String? {
        ReasonCheck(Self.brief).problem(with: Reason(text: "", neutral: "", claims: [claim]), for: offer)
    }

    private func day(_ text: String) -> CivilDate { CivilDate(iso8601: text) ?? CivilDate(daysSinceEpoch: 0) }

    @Test func `true claims pass`() {
        let claims: [Reason.Claim] = [
            .noted(HintID("hint-1"), on: day("2026-02-19")), .likes(Interest("Coffee")), .arrives(daysBefore: 4),
            .happens(on: day("2026-03-05")), .withinBudget(total: 8_000),
        ]
        for claim in claims { #expect(problem(claim) == nil, "\(claim)") }
        #expect(problem(.priceUnknown, Offer(.invented("a", "Kettle", price: nil))) == nil)
        #expect(problem(.outsideBudget(total: 90_000), Offer(.invented("a", "Kettle", price: 90_000))) == nil)
    }

    @Test func `false claims do not`() {
        let claims: [Reason.Claim] = [
            .noted(HintID("hint-2"), on: day("2026-02-19")), .noted(HintID("hint-1"), on: day("2026-02-20")),
            .likes(Interest("Tea")), .arrives(daysBefore: 5), .arrives(daysBefore: -1), .happens(on: day("2026-03-06")),
            .withinBudget(total: 7_999), .withinBudget(total: 90_000), .outsideBudget(total: 8_000), .priceUnknown,
        ]
        for claim in claims { #expect(problem(claim) != nil, "\(claim)") }
        let bare = Offer(.invented("a", "Kettle", price: nil))
        for claim in [Reason.Claim.arrives(daysBefore: 0), .happens(on: day("2026-03-05")), .withinBudget(total: 0)] {
            #expect(problem(claim, bare) != nil, "\(claim)")
        }
    }

    @Test func `nearness is true at home and where the way is known, and nowhere else`() {
        var scene = Scene()
        scene.location = Place(city: "Denver", state: "CO", country: "US")
        let brief = Brief(
            vault: scene.vault,
            tier: .majorMilestone,
            milestone: nil,
            occurrence: nil,
            asOf: scene.now,
            today: ZoneRules.utc.localDate(at: scene.now),
            zone: .utc,
            budget: scene.budget,
            rates: scene.rates,
            refresh: nil
        )
        func isTrue(_ city: String?, _ state: String?) -> Bool {
            let place = Place(city: city, state: state, country: "US")
            let offer = Offer(.invented("a", "Kiln hour", type: .experience, location: place))
            let reason = Reason(text: "", neutral: "", claims: [.near])
            return ReasonCheck(brief).problem(with: reason, for: offer) == nil
        }
        #expect(isTrue("Denver", "Colorado") && isTrue("Boulder", "CO"))
        #expect(!isTrue("Small Mercy", "CO") && !isTrue("Small Mercy", nil) && !isTrue(nil, "CO"))
        #expect(problem(.near, Offer(.invented("a", "Kettle"))) != nil)
    }

    @Test func `every reason that is written passes the check, and quotes no provider but the words of a tie`() {
        let digest = HintDigest(
            ranked: [],
            serves: [HintDigest.Phrase(text: "kettle", weight: 1, hint: HintID("hint-1"))],
            avoids: []
        )
        let ties: [Tie] = [
            .none, .like(Interest("Coffee"), words: "zanzibar"), .wish(HintID("hint-1"), phrase: "kettle"),
            .quote(HintID("hint-1"), "Her old kettle drips", phrase: nil),
            .quote(HintID("hint-1"), "Her old kettle drips", phrase: "kettle"),
        ]
        for seed in 0..<400 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let bits = generator.next()
            let offer = Offer(
                .invented(
                    "item",
                    "Zanzibar quokka title",
                    description: "Wombat blurb",
                    price: bits & 1 == 0 ? nil : Int(generator.next() % 60_000),
                    currency: ["USD", "JPY", "GBP", "XQX"][Int(generator.next() % 4)],
                    merchant: "Narwhal merchant",
                    startsAt: bits & 2 == 0 ? nil : "2026-03-0\(1 + Int(generator.next() % 9))T23:30:00Z",
                    ships: bits & 4 == 0 ? nil : Int(generator.next() % 20),
                    tags: ["Okapi tag"]
                )
            )
            let reason = ReasonWriter(Self.brief).reason(for: offer, tie: ties[Int(generator.next() % 5)])
            let problem = ReasonCheck(Self.brief, digest).problem(with: reason, for: offer)
            #expect(problem == nil, "seed \(seed): \(reason.text)")
            #expect(!reason.claims.isEmpty && reason.text.hasSuffix("."), "seed \(seed): \(reason.text)")
            for word in ["Zanzibar", "quokka", "Wombat", "Narwhal", "Okapi"] {
                #expect(!reason.text.contains(word), "seed \(seed): \(reason.text)")
            }
            for word in ["kettle", "Ines", "zanzibar", "March"] {
                #expect(!reason.neutral.contains(word), "seed \(seed): \(reason.neutral)")
            }
        }
    }

    @Test func `a quote in part, of another note or of nobody's wish is untrue`() {
        let claims: [Reason.Claim] = [
            .quoted(HintID("hint-1"), "Her old kettle"), .quoted(HintID("hint-2"), "Her old kettle drips"),
            .asks(HintID("hint-1"), "kettle"), .says("lamp"), .tagged("lamp"), .speaks(HintID("hint-1"), "teapot"),
            .speaks(HintID("hint-2"), "kettle"), .speaks(HintID("hint-1"), ""),
        ]
        for claim in claims { #expect(problem(claim) != nil, "\(claim)") }
        #expect(problem(.quoted(HintID("hint-1"), "Her old kettle drips")) == nil && problem(.says("kettle")) == nil)
        #expect(problem(.speaks(HintID("hint-1"), "kettles")) == nil)
    }
}
