import KnotDomain
import Scheduling
import Testing

@Suite("A rehearsal")
struct RehearsalTests {
    private func rehearse(
        _ milestones: [Milestone],
        _ from: String,
        _ to: String,
        now: String = "2026-11-20T12:00:00Z",
        stored: [StoredReminder] = []
    ) throws -> Rehearsal {
        Rehearsal(
            of: PlanScene.subject(milestones, zone: try PlanScene.zone("Europe/Berlin")),
            days: try PlanScene.day(from)...PlanScene.day(to),
            now: try PlanScene.moment(now),
            stored: stored
        )
    }

    @Test func `has nothing of what is before or after its days`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-12-15")
        #expect(try rehearse([birthday], "2026-11-20", "2026-11-30").messages.isEmpty)
        let played = try rehearse([birthday], "2026-12-02", "2026-12-08")
        #expect(played.messages.flatMap(\.reminders).map(\.daysBefore) == [7])
        #expect(try rehearse([birthday], "2026-12-13", "2027-01-02").messages.isEmpty)
    }

    @Test func `has the messages that a plan then makes`() throws {
        let milestones = [
            try PlanScene.milestone("Birthday", "2000-12-15"),
            try PlanScene.milestone("Wedding day", "2000-12-22", kind: .anniversary),
        ]
        let played = try rehearse(milestones, "2026-11-20", "2026-12-31")
        let subject = PlanScene.subject(milestones, zone: try PlanScene.zone("Europe/Berlin"))
        let plan = ReminderPlanner().plan(for: subject, at: try PlanScene.moment("2026-11-20T12:00:00Z"))
        #expect(played.messages == plan.messages)
        #expect(played.messages.count == 5)
        #expect(played.lines.contains { $0.contains("Birthday (7 days ahead), Wedding day (14 days ahead)") })
    }

    @Test func `says what does not come, and what would be cancelled`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-12-15")
        let gone = StoredReminder(
            key: ReminderKey(
                milestone: birthday.id,
                occurrence: try PlanScene.day("2026-12-20"),
                daysBefore: 7
            ),
            sendsAt: try PlanScene.moment("2026-12-13T12:00:00Z"),
            state: .waiting
        )
        let played = try rehearse(
            [birthday],
            "2026-12-01",
            "2026-12-31",
            now: "2026-12-07T12:00:00Z",
            stored: [gone]
        )
        #expect(played.leftOut.map(\.outcome) == [.skip(.nextIsNear(daysBefore: 7)), .cancel(.dayChanged)])
        #expect(
            played.lines.contains("Birthday (7 days ahead): cancelled: the milestone is gone or has another day now")
        )
    }
}
