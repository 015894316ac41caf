import KnotDomain
import Scheduling
import Testing

@Suite("The last look before a reminder goes out")
struct SendDecisionTests {
    private func decide(
        at now: String,
        zone: String = "America/New_York",
        quiet: QuietHours = .standard,
        daysBefore: Int = 3,
        isEnabled: Bool = true
    ) throws -> SendDecision {
        let key = ReminderKey(
            milestone: MilestoneID("m"),
            occurrence: try PlanScene.day("2026-05-16"),
            daysBefore: daysBefore
        )
        let allowed = AllowedTime(zone: try PlanScene.zone(zone).rules, window: .daytime, quiet: quiet)
        return SendDecision(for: key, at: try PlanScene.moment(now), in: allowed, isEnabled: isEnabled)
    }

    @Test func `lets nothing out when its day is here, or to who wants nothing`() throws {
        #expect(try decide(at: "2026-05-16T14:00:00Z") == .expire(.dayHasCome))
        #expect(try decide(at: "2026-05-13T14:00:00Z", isEnabled: false) == .expire(.remindersOff))
        let never = try #require(QuietHours(start: 9, end: 22))
        #expect(try decide(at: "2026-05-13T14:00:00Z", quiet: never) == .expire(.neverAllowed))
    }

    @Test func `lets nothing out on the evening before, when only the day itself is left`() throws {
        #expect(try decide(at: "2026-05-16T01:00:00Z") == .expire(.dayHasCome))
    }

    @Test func `waits through the night and through quiet hours`() throws {
        #expect(try decide(at: "2026-05-13T09:00:00Z") == .wait(until: PlanScene.moment("2026-05-13T14:00:00Z")))
        #expect(try decide(at: "2026-05-14T01:00:00Z") == .wait(until: PlanScene.moment("2026-05-14T14:00:00Z")))
        let nap = try #require(QuietHours(start: 13, end: 15))
        #expect(
            try decide(at: "2026-05-13T17:30:00Z", quiet: nap) == .wait(until: PlanScene.moment("2026-05-13T19:00:00Z"))
        )
    }

    @Test func `waits for the day of a person who moved west`() throws {
        #expect(
            try decide(at: "2026-05-13T01:00:00Z", zone: "Pacific/Honolulu")
                == .wait(until: PlanScene.moment("2026-05-13T20:00:00Z"))
        )
    }

    @Test func `sends in the window, also late`() throws {
        #expect(try decide(at: "2026-05-13T14:00:00Z") == .send)
        #expect(try decide(at: "2026-05-15T18:00:00Z") == .send)
        #expect(try decide(at: "2026-05-14T00:59:59Z") == .send)
    }
}
