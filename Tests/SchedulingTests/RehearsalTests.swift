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

    private func reminder(
        _ milestone: Milestone,
        _ occurrence: String,
        _ days: Int,
        at moment: String,
        _ state: StoredReminder.State
    ) throws -> StoredReminder {
        let key = ReminderKey(milestone: milestone.id, occurrence: try PlanScene.day(occurrence), daysBefore: days)
        return StoredReminder(key: key, sendsAt: try PlanScene.moment(moment), state: state)
    }

    /// In Berlin it is one o'clock then.
    @Test(arguments: [StoredReminder.State.waiting, .begun])
    func `sends what is due already and nobody has sent, once it may`(state: StoredReminder.State) throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-12-15")
        let due = try reminder(birthday, "2026-12-15", 7, at: "2026-12-08T11:00:00Z", state)
        let noon = "2026-12-08T12:00:00Z"
        let played = try rehearse([birthday], "2026-12-08", "2026-12-08", now: noon, stored: [due])
        #expect(played.messages.map(\.reminders) == [[due.key]])
        #expect(played.messages.map(\.sendsAt) == [try PlanScene.moment(noon)])
        let night = "2026-12-08T22:30:00Z"
        let later = try rehearse([birthday], "2026-12-08", "2026-12-09", now: night, stored: [due])
        #expect(later.messages.map(\.reminders) == [[due.key]])
        let zone = try PlanScene.zone("Europe/Berlin").rules
        let allowed = AllowedTime(zone: zone, window: .daytime, quiet: .standard)
        let slot = try allowed.slot(of: VaultID("vault"), on: PlanScene.day("2026-12-09"))
        #expect(later.messages.map(\.sendsAt) == [try #require(slot)])
    }

    @Test func `sends what is tried again at its next try, and leaves out what was sent`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-12-15")
        let again = try reminder(birthday, "2026-12-15", 7, at: "2026-12-08T13:10:00Z", .begun)
        let sent = try reminder(birthday, "2026-12-15", 14, at: "2026-12-01T13:10:00Z", .used(.sent))
        let played = try rehearse(
            [birthday],
            "2026-12-08",
            "2026-12-09",
            now: "2026-12-08T12:00:00Z",
            stored: [sent, again]
        )
        #expect(played.messages.map(\.reminders) == [[again.key]])
        #expect(played.messages.map(\.sendsAt) == [again.sendsAt])
        #expect(played.leftOut.isEmpty)
    }

    @Test(arguments: [(StoredReminder.Ending.calledOff, "called off"), (.failed, "failed before")])
    func `says of what was called off or has failed that it does not come`(
        ending: StoredReminder.Ending,
        words: String
    ) throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-12-15")
        let ended = try reminder(birthday, "2026-12-15", 7, at: "2026-12-08T13:10:00Z", .used(ending))
        let now = "2026-12-07T12:00:00Z"
        let played = try rehearse([birthday], "2026-12-07", "2026-12-13", now: now, stored: [ended])
        #expect(played.messages.map { $0.reminders.map(\.daysBefore) } == [[3]])
        #expect(played.lines.contains { $0.hasPrefix("Birthday (7 days ahead): \(words)") }, "\(played.lines)")
        #expect(try rehearse([birthday], "2026-12-09", "2026-12-13", now: now, stored: [ended]).lines.count == 1)
    }

    @Test func `makes one message of what is put off and what is planned for the same day`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-12-15")
        let wedding = try PlanScene.milestone("Wedding day", "2000-12-23", kind: .anniversary)
        let night = "2026-12-08T22:30:00Z"
        let due = try reminder(birthday, "2026-12-15", 7, at: "2026-12-08T11:00:00Z", .begun)
        let played = try rehearse([birthday, wedding], "2026-12-09", "2026-12-09", now: night, stored: [due])
        #expect(played.messages.map { $0.reminders.map(\.daysBefore) } == [[7, 14]])
    }

    @Test func `says why what was begun does not come after all`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-12-15")
        let old = try reminder(birthday, "2026-12-15", 14, at: "2026-12-08T11:00:00Z", .begun)
        let moved = try reminder(birthday, "2026-12-20", 14, at: "2026-12-08T11:00:00Z", .begun)
        let past = try reminder(birthday, "2026-12-08", 3, at: "2026-12-08T11:00:00Z", .begun)
        let played = try rehearse(
            [birthday],
            "2026-12-08",
            "2026-12-08",
            now: "2026-12-08T22:00:00Z",
            stored: [old, moved, past]
        )
        let outcomes = Dictionary(uniqueKeysWithValues: played.leftOut.map { ($0.key, $0.outcome) })
        #expect(outcomes[old.key] == .cancel(.standsIn(daysBefore: 7)))
        #expect(outcomes[moved.key] == .cancel(.dayChanged))
        #expect(outcomes[past.key] == .cancel(.dayHasCome))
        #expect(!played.messages.flatMap(\.reminders).contains { [old.key, moved.key, past.key].contains($0) })
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
