import KnotDomain
import StageGraph
import TestSupport
import Testing

@testable import Recommendation

/// When something happens is told by the clocks of its place, else by the couple's, and reason and card never disagree.
@Suite("The time of an event") struct EventTimeTests {
    private static let zones = ZoneCache()

    private func brief(zone: String, occurrence: String? = nil) -> Brief {
        var scene = Scene()
        scene.timeZone = zone
        return Brief(
            vault: scene.vault,
            tier: .majorMilestone,
            milestone: nil,
            occurrence: occurrence.flatMap { CivilDate(iso8601: $0) },
            asOf: scene.now,
            today: CivilDate(iso8601: "2026-03-01") ?? CivilDate(daysSinceEpoch: 0),
            zone: Self.zones.rules(named: zone) ?? .utc,
            budget: scene.budget,
            rates: scene.rates,
            refresh: nil
        )
    }

    private static let places: [(place: Place?, zone: String?)] = [
        (nil, nil), (Place(city: "Tokyo", state: nil, country: "JP"), "Asia/Tokyo"),
        (Place(city: nil, state: nil, country: "FR"), "Europe/Paris"),
        (Place(city: "Macon", state: "GA", country: "US"), "America/New_York"),
        (Place(city: "Chicago", state: "Illinois", country: "US"), "America/Chicago"),
        (Place(city: "Honolulu", state: "HI", country: "US"), "Pacific/Honolulu"),
        (Place(city: "Toronto", state: "Ontario", country: "CA"), "America/Toronto"),
        (Place(city: "Perth", state: "Western Australia", country: "AU"), "Australia/Perth"),
        (Place(city: "London", state: nil, country: "UK"), "Europe/London"),
        (Place(city: "Somewhere", state: nil, country: "US"), nil),
        (Place(city: "Somewhere", state: "GA", country: nil), nil),
    ]

    @Test(arguments: [
        "America/New_York", "America/Los_Angeles", "Europe/London", "Asia/Tokyo", "Asia/Kolkata", "Pacific/Auckland",
        "Etc/UTC",
    ])
    func `is the place's, else the vault's, and the zone stands beside it only where the clocks differ`(
        zone: String
    ) throws {
        let seed: UInt64 = 0x71_3E
        var generator = SeededGenerator(seed: seed)
        let brief = brief(zone: zone)
        let own = try #require(Self.zones.rules(named: zone))
        for (place, name) in Self.places {
            let there = name.flatMap { Self.zones.rules(named: $0) } ?? own
            for _ in 0..<40 {
                let start = Instant(millisecondsSinceEpoch: 0)
                    .adding(seconds: 1_772_000_000 + Int(generator.next() % 40_000_000))
                let offer = Offer(.invented("a", "Evening", type: .date, location: place, startsAt: start.iso8601))
                let local = try #require(brief.localStart(of: offer.candidate))
                #expect(local == there.local(at: start), "seed \(seed): \(start), \(place.debugDescription)")
                let differs = there.offsetSeconds(at: start) != own.offsetSeconds(at: start)
                #expect(brief.shownZone(of: offer.candidate) == (differs ? name : nil), "seed \(seed): \(start)")
                let reason = ReasonWriter(brief).reason(for: offer, tie: .none)
                #expect(reason.claims.contains(.happens(on: local.date)), "seed \(seed): \(reason.text)")
                #expect(ReasonCheck(brief).problem(with: reason, for: offer) == nil, "seed \(seed)")
            }
        }
    }

    @Test func `near a border of zones is the couple's own where their region keeps both`() {
        let bristol = Candidate.invented(
            "a",
            "Races",
            type: .date,
            location: Place(city: "Bristol", state: "TN", country: "US"),
            startsAt: "2026-03-14T23:30:00Z"
        )
        #expect(brief(zone: "America/New_York").shownZone(of: bristol) == nil)
        #expect(brief(zone: "Europe/Paris").shownZone(of: bristol) == "America/Chicago")
    }

    @Test func `of a vault whose zone nobody knows is universal, and says so`() {
        let candidate = Candidate.invented("a", "Evening", type: .date, startsAt: "2026-03-14T23:30:00Z")
        #expect(brief(zone: "Mars/Base").shownZone(of: candidate) == "UTC")
        #expect(brief(zone: "Etc/UTC").shownZone(of: candidate) == nil)
    }

    @Test func `decides by the day of the place whether it comes too late`() async throws {
        // 23:30 on the 14th in Honolulu is the 15th in Los Angeles.
        var scene = Scene([
            .invented(
                "late",
                "Luau evening",
                type: .date,
                location: Place(city: nil, state: "HI", country: "US"),
                startsAt: "2026-03-15T09:30:00Z"
            ),
            .invented("b", "Brass compass", ships: 1), .invented("c", "Walnut tray", ships: 1),
        ])
        scene.timeZone = "America/Los_Angeles"
        scene.celebrate("2000-03-14")
        let run = try await scene.run()
        #expect(run.dropReason(of: "late") == nil)
        #expect(run.cards["late"].map { $0.reason.contains("It is on 14 March") } ?? true)
    }
}
