import JSONDocument
import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

/// The days of the contract, through the whole engine.
@Suite struct OccasionDayTests {
    private static func scene(_ more: [Candidate] = []) -> Scene {
        Scene(
            more + [
                .invented("clock", "Oak mantel clock", ships: 0), .invented("scarf", "Lambswool scarf", ships: 0),
                .invented("tray", "Slate serving tray", ships: 0),
            ]
        )
    }

    private static func occurrence(_ scene: Scene) async throws -> String? {
        try await scene.run().document()?["occurrence"]?.string
    }

    @Test func `today counts, yesterday is next year`() async throws {
        var scene = Self.scene()
        scene.celebrate("2000-03-01")
        #expect(try await Self.occurrence(scene) == "2026-03-01")
        scene.celebrate("2000-02-28")
        #expect(try await Self.occurrence(scene) == "2027-02-28")
    }

    @Test func `29 February is observed on the 28th, save in a leap year`() async throws {
        var scene = Self.scene()
        scene.asOf = "2026-02-10T12:00:00Z"
        scene.celebrate("2000-02-29")
        #expect(try await Self.occurrence(scene) == "2026-02-28")
        scene.asOf = "2028-02-10T12:00:00Z"
        #expect(try await Self.occurrence(scene) == "2028-02-29")
    }

    @Test func `the day is the vault's, not universal time's`() async throws {
        var scene = Self.scene()
        // Still 28 February on the west coast, already 1 March in Tokyo.
        scene.asOf = "2026-03-01T03:00:00Z"
        scene.timeZone = "America/Los_Angeles"
        scene.celebrate("2000-02-28")
        #expect(try await Self.occurrence(scene) == "2026-02-28")
        scene.timeZone = "Asia/Tokyo"
        #expect(try await Self.occurrence(scene) == "2027-02-28")
    }

    @Test func `an event on the evening of the day is in time by the local calendar`() async throws {
        let evening = Candidate.invented(
            "evening",
            "Lantern walk",
            provider: .ticketmaster,
            type: .date,
            startsAt: "2026-03-07T03:30:00Z"
        )
        let next = Candidate.invented(
            "next",
            "Harbour concert",
            provider: .ticketmaster,
            type: .date,
            startsAt: "2026-03-07T08:30:00Z"
        )
        var scene = Self.scene([evening, next])
        scene.timeZone = "America/Los_Angeles"
        scene.celebrate("2000-03-06")
        let run = try await scene.run()
        #expect(run.end(of: "evening") != .dropped)
        #expect(run.dropReason(of: "next") == "too_late")
    }

    @Test func `an event that begins now has begun`() async throws {
        let begun = Candidate.invented(
            "begun",
            "Lantern walk",
            provider: .ticketmaster,
            type: .date,
            startsAt: "2026-03-01T12:00:00Z"
        )
        let soon = Candidate.invented(
            "soon",
            "Harbour concert",
            provider: .ticketmaster,
            type: .date,
            startsAt: "2026-03-01T12:00:01Z"
        )
        let run = try await Self.scene([begun, soon]).run()
        #expect(run.dropReason(of: "begun") == "already_past")
        #expect(run.end(of: "soon") != .dropped)
    }

    @Test func `without a day an event may be sixty days away`() async throws {
        let inside = Candidate.invented(
            "inside",
            "Lantern walk",
            provider: .ticketmaster,
            type: .date,
            startsAt: "2026-04-30T12:00:00Z"
        )
        let outside = Candidate.invented(
            "outside",
            "Harbour concert",
            provider: .ticketmaster,
            type: .date,
            startsAt: "2026-05-01T12:00:00Z"
        )
        let run = try await Self.scene([inside, outside]).run()
        #expect(run.end(of: "inside") != .dropped)
        #expect(run.dropReason(of: "outside") == "too_late")
    }

    @Test func `a parcel may arrive on the day itself`() async throws {
        var scene = Self.scene([
            .invented("last", "Copper watering can", ships: 5), .invented("late", "Brass desk lamp", ships: 6),
        ])
        scene.celebrate("2000-03-06")
        let run = try await scene.run()
        #expect(run.end(of: "last") != .dropped)
        #expect(run.dropReason(of: "late") == "arrives_late")
    }

    @Test func `a one-time milestone in the past ends the run as bad data`() async throws {
        var scene = Self.scene()
        scene.celebrate("2026-02-27", kind: .custom, recurrence: .oneTime)
        let run = try await scene.run()
        guard case .failure(let failure) = run.result else {
            Issue.record("a day that is over was celebrated")
            return
        }
        #expect(failure.failureClass == .data && failure.code == "milestone_past")
    }
}
