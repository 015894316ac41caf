import KnotDomain
import Recommendation
import TestSupport
import Testing

/// A scorer decides which of two offers that are else equal comes first, and without it nothing does.
@Suite("Scorers decide between equal offers") struct DecidingScorersTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let scorer: String
        let testDescription: String
        var scene = Scene()
        /// Takes an identifier.
        let better: @Sendable (String) -> Candidate
        let worse: @Sendable (String) -> Candidate

        init(
            _ scorer: String,
            _ description: String,
            better: @escaping @Sendable (String) -> Candidate,
            worse: @escaping @Sendable (String) -> Candidate,
            _ change: (inout Scene) -> Void = { _ in }
        ) {
            (self.scorer, testDescription, self.better, self.worse) = (scorer, description, better, worse)
            change(&scene)
        }
    }

    private static let denver = Place(city: "Denver", state: "CO", country: "US")
    private static let boulder = Place(city: "Boulder", state: "CO", country: "US")

    private static let cases = [
        Case(
            "vibes",
            "what has the vault's vibe comes before what has none",
            better: { .invented($0, "Brass lamp", ships: 1, tags: ["vintage"]) },
            worse: { .invented($0, "Slate tray", ships: 1) },
            { $0.vibes = [.vintage] }
        ),
        Case(
            "love_languages",
            "a gift comes first for a partner who loves to be given things",
            better: { .invented($0, "Brass lamp", ships: 1) },
            worse: { .invented($0, "Slate evening", type: .experience) },
            { $0.languages = LoveLanguages(primary: .receivingGifts, secondary: .actsOfService) }
        ),
        Case(
            "love_languages",
            "an outing comes first for a partner who loves time together",
            better: { .invented($0, "Slate evening", type: .experience) },
            worse: { .invented($0, "Brass lamp", ships: 1) },
            { $0.languages = LoveLanguages(primary: .qualityTime, secondary: .actsOfService) }
        ),
        Case(
            "budget",
            "a known price comes before an unknown one",
            better: { .invented($0, "Brass lamp", ships: 1) },
            worse: { .invented($0, "Slate tray", price: nil, ships: 1) }
        ),
        Case(
            "timing",
            "a parcel with days to spare comes before one on the last day",
            better: { .invented($0, "Brass lamp", ships: 1) },
            worse: { .invented($0, "Slate tray", ships: 13) },
            { $0.celebrate("1990-03-14") }
        ),
        Case(
            "timing",
            "an event near the day comes before one weeks earlier",
            better: { .invented($0, "Brass evening", type: .experience, startsAt: "2026-03-27T19:00:00Z") },
            worse: { .invented($0, "Slate evening", type: .experience, startsAt: "2026-03-04T19:00:00Z") },
            { $0.celebrate("1990-03-28") }
        ),
        Case(
            "timing",
            "an event a week before a flight comes before one on its eve",
            better: { .invented($0, "Brass evening", type: .experience, startsAt: "2026-03-20T19:00:00Z") },
            worse: { .invented($0, "Slate evening", type: .experience, startsAt: "2026-03-27T19:00:00Z") },
            {
                $0.celebrate("1990-03-28")
                $0.note("Her week is full", serves: ["zither"], limits: ["flies to Lisbon on 28 March"])
            }
        ),
        Case(
            "place",
            "an evening in the own town comes before one in the next",
            better: { .invented($0, "Brass evening", type: .experience, location: denver) },
            worse: { .invented($0, "Slate evening", type: .experience, location: boulder) },
            { $0.location = denver }
        ),
        Case(
            "quality",
            "what many rated well comes before what many rated badly",
            better: { .invented($0, "Brass lamp", rating: 4.8, reviews: 400, ships: 1) },
            worse: { .invented($0, "Slate tray", rating: 3.1, reviews: 400, ships: 1) }
        ),
    ]

    @Test(arguments: cases) func `and without it the identifier does`(_ one: Case) async throws {
        func first(_ better: String, _ worse: String, _ settings: [String] = []) async throws -> String? {
            var scene = one.scene
            scene.candidates = [one.better(better), one.worse(worse)]
            // An outing without a place and a gift are not equal for the scorer of places.
            let equal = one.scorer == "love_languages" ? ["combine.place=0"] : []
            let run = try await scene.run(settings: settings + equal)
            #expect(run.ranked.count == 2)
            return run.ranked.first
        }
        let with = try await [first("a", "b"), first("b", "a")]
        #expect(with == ["a", "b"])
        let off = ["combine.\(one.scorer)=0"]
        let without = try await [first("a", "b", off), first("b", "a", off)]
        #expect(without == ["a", "a"])
    }

    @Test func `every week's work is no eve`() async throws {
        var scene = Scene([
            .invented("near", "Brass evening", type: .experience, startsAt: "2026-03-27T19:00:00Z"),
            .invented("early", "Slate evening", type: .experience, startsAt: "2026-03-20T19:00:00Z"),
        ])
        scene.celebrate("1990-03-28")
        scene.note("Her weeks are full", serves: ["zither"], limits: ["works every Saturday"])
        #expect(try await scene.run().ranked.first == "near")
    }
}
