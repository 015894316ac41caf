import KnotDomain
import Scheduling
import Testing

@Suite("A plan of reminders")
struct ReminderPlannerTests {
    private let planner = ReminderPlanner()

    private func plan(
        _ milestones: [Milestone],
        at now: String,
        zone: String = "America/New_York",
        country: String? = "US",
        quiet: QuietHours = .standard,
        isEnabled: Bool = true,
        stored: [StoredReminder] = [],
        policy: ReminderPolicy = ReminderPolicy()
    ) throws -> ReminderPlan {
        let subject = PlanScene.subject(
            milestones,
            zone: try PlanScene.zone(zone),
            country: country,
            quiet: quiet,
            isEnabled: isEnabled
        )
        return ReminderPlanner(policy: policy).plan(for: subject, at: try PlanScene.moment(now), stored: stored)
    }

    private func days(_ plan: ReminderPlan) -> [Int] { plan.toStore.map(\.key.daysBefore) }

    private func outcome(_ plan: ReminderPlan, _ days: Int) throws -> ReminderDecision.Outcome {
        try #require(plan.decisions.first { $0.key.daysBefore == days }).outcome
    }

    @Test func `plans nothing for who wants no reminder, and cancels what waits`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-05-16")
        let before = try plan([birthday], at: "2026-04-20T12:00:00Z")
        let off = try plan(
            [birthday],
            at: "2026-04-21T12:00:00Z",
            isEnabled: false,
            stored: before.applied(to: [])
        )
        #expect(off.toStore.isEmpty)
        #expect(off.toCancel.map(\.daysBefore) == [14, 7, 3])
        #expect(try outcome(off, 14) == .cancel(.remindersOff))
        #expect(off.messages.isEmpty)
    }

    @Test func `plans nothing where quiet hours leave nothing of the window, and says so`() throws {
        let quiet = try #require(QuietHours(start: 9, end: 21))
        let plan = try plan([PlanScene.milestone("Birthday", "2000-05-16")], at: "2026-04-20T12:00:00Z", quiet: quiet)
        #expect(plan.toStore.isEmpty)
        #expect(try outcome(plan, 7) == .skip(.neverAllowed))
    }

    @Test func `plans nothing on the evening before, when no time is left`() throws {
        let plan = try plan([PlanScene.milestone("Birthday", "2000-05-16")], at: "2026-05-16T00:50:00Z")
        #expect(plan.toStore.isEmpty)
        #expect(try outcome(plan, 3) == .skip(.noTimeLeft))
        #expect(try outcome(plan, 7) == .skip(.standsIn(daysBefore: 3)))
    }

    @Test func `plans nothing for a day that nobody knows`() throws {
        let diwali = try PlanScene.milestone("Diwali", "2000-11-08", kind: .holiday)
        let plan = try plan([diwali], at: "2029-10-01T12:00:00Z")
        #expect(plan.decisions.isEmpty)
        #expect(plan.undated[diwali.id] == .unknown(.diwali, validThrough: 2028))
    }

    @Test func `plans nothing for a one-time day that is over or here`() throws {
        let trip = try PlanScene.milestone("Trip", "2026-05-16", kind: .custom, recurrence: .oneTime)
        let over = try plan([trip], at: "2026-05-17T12:00:00Z")
        #expect(over.decisions.isEmpty)
        #expect(try over.undated[trip.id] == .past(PlanScene.day("2026-05-16")))
        let here = try plan([trip], at: "2026-05-16T12:00:00Z")
        #expect(here.toStore.isEmpty)
        #expect(try outcome(here, 3) == .skip(.dayHasCome))
    }

    @Test func `reminds 14, 7 and 3 days ahead on the person's own days`() throws {
        let plan = try plan([PlanScene.milestone("Birthday", "2000-05-16")], at: "2026-04-20T12:00:00Z")
        let zone = try PlanScene.zone("America/New_York").rules
        #expect(days(plan) == [14, 7, 3])
        #expect(
            plan.toStore.map { zone.localDate(at: $0.sendsAt).description } == [
                "2026-05-02", "2026-05-09", "2026-05-13",
            ]
        )
    }

    @Test func `makes the same plan again from what it stored`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-05-16")
        let stored = try plan([birthday], at: "2026-04-20T12:00:00Z").applied(to: [])
        for now in ["2026-04-20T12:01:00Z", "2026-04-27T12:00:00Z", "2026-05-02T03:00:00Z"] {
            let again = try plan([birthday], at: now, stored: stored)
            #expect(again.toStore.isEmpty)
            #expect(again.toCancel.isEmpty)
            #expect(again.applied(to: stored) == stored)
        }
    }

    @Test(arguments: [
        ("2000-05-17", [7, 3]), ("2000-05-15", [7, 3]), ("2000-05-18", [7, 3]), ("2000-05-20", [14, 7, 3]),
    ])
    func `tells nobody again of a day that was moved by a day or two`(date: String, expected: [Int]) throws {
        let before = try plan([PlanScene.milestone("Birthday", "2000-05-16")], at: "2026-04-20T12:00:00Z").applied(
            to: [])
        let told = before.map { row in
            row.key.daysBefore == 14 ? StoredReminder(key: row.key, sendsAt: row.sendsAt, state: .used(.sent)) : row
        }
        let moved = try plan([PlanScene.milestone("Birthday", date)], at: "2026-05-02T22:00:00Z", stored: told)
        let day = try PlanScene.day("2026" + date.dropFirst(4))
        #expect(moved.toStore.filter { $0.key.occurrence == day }.map(\.key.daysBefore) == expected)
        #expect(moved.toCancel.map(\.daysBefore).sorted() == [3, 7])
    }

    @Test func `tells a person of a dozen days at once, of those that matter more, and plans the same again`() throws {
        let days = try (0..<700).map { number in
            let tier: OccasionTier = number % 100 == 99 ? .majorMilestone : .minorOccasion
            return try PlanScene.milestone("Day \(number)", "2000-05-16", kind: .custom, tier: tier)
        }
        let made = try plan(days, at: "2026-04-20T12:00:00Z")
        #expect(made.messages.map(\.reminders.count) == [12, 12, 12])
        #expect(made.messages.allSatisfy { $0.reminders.count { $0.milestone.text.hasSuffix("99") } == 7 })
        let stored = made.applied(to: [])
        let again = try plan(days, at: "2026-04-20T13:00:00Z", stored: stored)
        #expect(again.toStore.isEmpty && again.toCancel.isEmpty)
        let sent = stored.map { StoredReminder(key: $0.key, sendsAt: $0.sendsAt, state: .used(.sent)) }
        let later = try plan(days, at: "2026-05-02T22:00:00Z", stored: sent)
        let midnight = try PlanScene.moment("2026-05-03T04:00:00Z")
        #expect(later.toStore.allSatisfy { $0.sendsAt > midnight })
    }

    @Test func `keys a January day by its own year, though it is planned in December`() throws {
        let plan = try plan([PlanScene.milestone("Birthday", "2000-01-03")], at: "2026-12-01T12:00:00Z")
        let first = try #require(plan.toStore.first)
        #expect(first.key.description == "m:Birthday:2027-01-03:14")
        #expect(first.key.day == (try PlanScene.day("2026-12-20")))
    }

    @Test func `leaves the late reminder out nine days ahead, since the next one is near`() throws {
        let plan = try plan([PlanScene.milestone("Birthday", "2000-01-03")], at: "2026-12-25T12:00:00Z")
        #expect(days(plan) == [7, 3])
        #expect(try outcome(plan, 14) == .skip(.nextIsNear(daysBefore: 7)))
    }

    @Test(arguments: [
        (13, [14, 7, 3]), (11, [14, 7, 3]), (8, [7, 3]), (6, [7, 3]), (5, [3]), (4, [3]), (2, [3]), (1, [3]), (0, []),
    ])
    func `makes one reminder of all that were missed`(left: Int, expected: [Int]) throws {
        let day = try PlanScene.day("2026-05-16").adding(days: -left)
        // Nine in the morning: the window is still to open.
        let plan = try plan([PlanScene.milestone("Birthday", "2000-05-16")], at: "\(day)T13:00:00Z")
        #expect(days(plan) == expected)
        let zone = try PlanScene.zone("America/New_York").rules
        let sendDays = plan.toStore.map { zone.localDate(at: $0.sendsAt) }
        #expect(Set(sendDays).count == sendDays.count, "one a day at the most")
        if let first = plan.toStore.first, first.key.day < day { #expect(sendDays.first == day) }
    }

    @Test func `sends what is late on its own day still on that day`() throws {
        let plan = try plan([PlanScene.milestone("Birthday", "2000-05-16")], at: "2026-05-10T00:30:00Z")
        // 20:30 in New York on 9 May, seven days ahead.
        let first = try #require(plan.toStore.first)
        #expect(first.key.daysBefore == 7)
        let local = try PlanScene.zone("America/New_York").rules.local(at: first.sendsAt)
        #expect(local.date == (try PlanScene.day("2026-05-09")))
        #expect(local.hour == 20 && local.minute >= 30 && local.minute < 45)
    }

    @Test func `drops an old reminder that never went out once the next is due`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-05-16")
        let stored = try plan([birthday], at: "2026-04-20T12:00:00Z").applied(to: [])
        let later = try plan([birthday], at: "2026-05-09T12:00:00Z", stored: stored)
        #expect(try outcome(later, 14) == .cancel(.standsIn(daysBefore: 7)))
        #expect(later.toStore.isEmpty)
    }

    @Test func `cancels the old day's reminders and plans the new day's when a milestone is edited`() throws {
        let stored = try plan([PlanScene.milestone("Birthday", "2000-05-16")], at: "2026-04-20T12:00:00Z")
            .applied(to: [])
        let edited = try plan(
            [PlanScene.milestone("Birthday", "2000-05-20")],
            at: "2026-04-21T12:00:00Z",
            stored: stored
        )
        #expect(edited.toCancel == stored.map(\.key))
        #expect(edited.toStore.map(\.key.occurrence.description) == Array(repeating: "2026-05-20", count: 3))
        // Back again: what was cancelled before anybody began it is planned as before.
        let back = try plan(
            [PlanScene.milestone("Birthday", "2000-05-16")],
            at: "2026-04-22T12:00:00Z",
            stored: edited.applied(to: stored)
        )
        #expect(back.applied(to: edited.applied(to: stored)) == stored)
        let deleted = try plan([], at: "2026-04-21T12:00:00Z", stored: stored)
        #expect(deleted.toCancel == stored.map(\.key))
    }

    @Test func `never plans a used reminder again, however often it plans`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-05-16")
        let used = try plan([birthday], at: "2026-04-20T12:00:00Z").applied(to: []).map {
            StoredReminder(key: $0.key, sendsAt: $0.sendsAt, state: .used(.sent))
        }
        for now in ["2026-04-21T12:00:00Z", "2026-05-03T12:00:00Z", "2026-05-14T12:00:00Z"] {
            #expect(try plan([birthday], at: now, stored: used).toStore.isEmpty)
        }
    }

    /// What may happen to a vault whose reminders were sent.
    enum Change: CaseIterable {
        case personMoves
        case remindersGoOff
        case quietHoursTakeTheDay
        case milestoneMoves
        case milestoneGoes
    }

    @Test(arguments: Change.allCases)
    func `leaves a used reminder as it is, whatever changes afterwards, and when it is changed back`(
        change: Change
    ) throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-05-16")
        let used = try plan([birthday], at: "2026-04-20T12:00:00Z").applied(to: []).map {
            StoredReminder(key: $0.key, sendsAt: $0.sendsAt, state: .used(.sent))
        }
        let now = "2026-04-21T12:00:00Z"
        let changed =
            switch change {
            case .personMoves: try plan([birthday], at: now, zone: "Asia/Tokyo", stored: used)
            case .remindersGoOff: try plan([birthday], at: now, isEnabled: false, stored: used)
            case .quietHoursTakeTheDay:
                try plan([birthday], at: now, quiet: #require(QuietHours(start: 9, end: 21)), stored: used)
            case .milestoneMoves: try plan([PlanScene.milestone("Birthday", "2000-05-20")], at: now, stored: used)
            case .milestoneGoes: try plan([], at: now, stored: used)
            }
        let keys = Set(used.map(\.key))
        #expect(
            changed.decisions.filter { keys.contains($0.key) }.map(\.outcome)
                == Array(repeating: .used(.sent), count: 3)
        )
        #expect(!changed.toStore.contains { keys.contains($0.key) } && changed.toCancel.isEmpty)
        #expect(!changed.messages.contains { $0.reminders.contains { keys.contains($0) } })
        let back = try plan([birthday], at: "2026-04-22T12:00:00Z", stored: changed.applied(to: used))
        #expect(
            back.decisions.filter { keys.contains($0.key) }.map(\.outcome) == Array(repeating: .used(.sent), count: 3)
        )
        #expect(!back.toStore.contains { keys.contains($0.key) })
    }

    @Test func `makes one message a day also of reminders that became late at different hours`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-05-16")
        let wedding = try PlanScene.milestone("Wedding day", "2000-05-15", kind: .anniversary)
        let noon = try PlanScene.moment("2026-05-09T16:00:00Z")
        var gathered = 0
        // On 9 May in New York, seven days ahead: the one becomes known at one moment, the other at a later one.
        for first in stride(from: 0, through: 480, by: 40) {
            let known = noon.adding(seconds: first * 60)
            let stored = try plan([birthday], at: known.iso8601).applied(to: [])
            for second in stride(from: first + 5, through: 520, by: 40) {
                let now = noon.adding(seconds: second * 60)
                let plan = try plan([birthday, wedding], at: now.iso8601, stored: stored)
                let zone = try PlanScene.zone("America/New_York").rules
                let days = plan.messages.filter { $0.sendsAt > now }.map { zone.localDate(at: $0.sendsAt) }
                #expect(Set(days).count == days.count, "known at \(known.iso8601) and \(now.iso8601)")
                gathered += plan.messages.count { $0.sendsAt > now && $0.reminders.count == 2 }
            }
        }
        #expect(gathered > 0)
    }

    @Test func `leaves what is due already to who sends it`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-05-16")
        let stored = try plan([birthday], at: "2026-04-20T12:00:00Z").applied(to: [])
        let late = try plan([birthday], at: "2026-05-03T12:00:00Z", zone: "Asia/Tokyo", stored: stored)
        let first = try #require(late.decisions.first)
        #expect(first.sendsAt == stored[0].sendsAt)
        #expect(!late.toStore.contains { $0.key == first.key } && late.toCancel.isEmpty)
    }

    /// The seven-day reminder of a birthday was due in an outage, and comes two days before that of three days.
    @Test func `keeps what a worker has put off, however often it plans and however near the next one is`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-05-16")
        let key = ReminderKey(milestone: birthday.id, occurrence: try PlanScene.day("2026-05-16"), daysBefore: 7)
        let until = try PlanScene.moment("2026-05-11T18:20:00Z")
        let row = StoredReminder(key: key, sendsAt: until, state: .waiting)
        for now in ["2026-05-11T02:00:00Z", "2026-05-11T15:00:00Z", "2026-05-11T18:19:00Z"] {
            let plan = try plan([birthday], at: now, stored: [row])
            #expect(try outcome(plan, 7) == .keep(until, .late), "\(now)")
            // What nobody has stored would be near the next one, and is left out.
            #expect(try outcome(self.plan([birthday], at: now), 7) == .skip(.nextIsNear(daysBefore: 3)), "\(now)")
        }
    }

    @Test func `tells first of the nearest day, and on one day of what matters most`() throws {
        let names = try ["a", "b", "c"].map { try PlanScene.milestone($0, "2000-05-16", tier: .minorOccasion) }
        let major = try PlanScene.milestone("z", "2000-05-16")
        let nearer = try PlanScene.milestone("y", "2000-05-14", tier: .minorOccasion)
        let plan = try plan(names + [major, nearer], at: "2026-05-13T12:00:00Z")
        #expect(plan.messages.first?.reminders.map(\.milestone.text) == ["y", "z", "a", "b", "c"])
    }

    @Test(
        arguments: [
            // On its day, or a day beside it on another clock.
            ("2026-05-02T14:00:00Z", 14, "2026-05-16"), ("2026-05-01T00:00:00Z", 14, "2026-05-16"),
            // Late, up to the day itself.
            ("2026-05-15T23:00:00Z", 14, "2026-05-16"), ("2026-05-13T14:00:00Z", 3, "2026-05-16"),
            // Of another year's day, or of a day that the milestone had before.
            ("2026-04-28T14:00:00Z", 14, nil), ("2026-05-20T14:00:00Z", 3, nil),
            ("2027-05-09T14:00:00Z", 7, "2027-05-16"),
        ] as [(String, Int, String?)]
    )
    func `knows a notification's day by its moment`(moment: String, daysBefore: Int, day: String?) throws {
        let key = ReminderKey(
            of: try PlanScene.milestone("Birthday", "2000-05-16"),
            daysBefore: daysBefore,
            scheduledFor: try PlanScene.moment(moment),
            country: nil
        )
        #expect(key?.occurrence.description == day)
    }

    @Test func `moves what waits when the person moves, and never to a moment that is over`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-05-16")
        let stored = try plan([birthday], at: "2026-04-20T12:00:00Z").applied(to: [])
        let now = try PlanScene.moment("2026-05-01T20:00:00Z")
        let moved = try plan([birthday], at: now.iso8601, zone: "Pacific/Kiritimati", stored: stored)
        #expect(moved.toStore.count == 3)
        #expect(moved.toStore.allSatisfy { $0.sendsAt > now })
        let zone = try PlanScene.zone("Pacific/Kiritimati").rules
        #expect(moved.toStore.map { zone.localDate(at: $0.sendsAt).day } == [2, 9, 13])
    }

    @Test func `makes one message of what comes on one day, the nearest first`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-05-16")
        let wedding = try PlanScene.milestone("Wedding day", "2000-05-23", kind: .anniversary)
        let name = try PlanScene.milestone("Name day", "2000-05-16", kind: .custom, tier: .minorOccasion)
        let plan = try plan([name, wedding, birthday], at: "2026-04-20T12:00:00Z")
        #expect(plan.toStore.count == 9)
        #expect(
            plan.messages.map { $0.reminders.map { "\($0.milestone) \($0.daysBefore)" } } == [
                ["Birthday 14", "Name day 14"], ["Birthday 7", "Name day 7", "Wedding day 14"],
                ["Birthday 3", "Name day 3"], ["Wedding day 7"], ["Wedding day 3"],
            ]
        )
    }

    @Test func `lets a late reminder join the message of its day`() throws {
        let wedding = try PlanScene.milestone("Wedding day", "2000-05-23", kind: .anniversary)
        let stored = try plan([wedding], at: "2026-04-20T12:00:00Z").applied(to: [])
        // 9 May is the wedding day's fourteenth day ahead; the birthday is known only now, six days ahead.
        let birthday = try PlanScene.milestone("Birthday", "2000-05-15")
        let plan = try plan([wedding, birthday], at: "2026-05-09T05:00:00Z", stored: stored)
        let message = try #require(plan.messages.first)
        #expect(message.sendsAt == stored[0].sendsAt)
        #expect(message.reminders.map(\.milestone.text) == ["Birthday", "Wedding day"])
    }

    @Test(arguments: [
        (LeapDayPolicy.february28, "2026-02-28"), (.march1, "2026-03-01"), (.skip, "2028-02-29"),
    ])
    func `keeps 29 February as the policy says`(policy: LeapDayPolicy, expected: String) throws {
        let leapling = try PlanScene.milestone("Birthday", "2000-02-29")
        let from = try PlanScene.day(expected).adding(days: -30)
        let plan = try plan([leapling], at: "\(from)T12:00:00Z", policy: ReminderPolicy(leapDay: policy))
        #expect(plan.toStore.map(\.key.occurrence.description) == Array(repeating: expected, count: 3))
    }

    @Test func `moves reminders to the day after one that a zone left out`() throws {
        // Samoa had no 30 December 2011.
        let plan = try plan(
            [PlanScene.milestone("Birthday", "2000-01-02")],
            at: "2011-12-10T12:00:00Z",
            zone: "Pacific/Apia"
        )
        let gone = try PlanScene.day("2011-12-30")
        guard case .plan(let moment, let timing) = try outcome(plan, 3) else {
            Issue.record("the reminder three days ahead is not planned")
            return
        }
        #expect(timing == .laterThan(gone))
        #expect(try PlanScene.zone("Pacific/Apia").rules.localDate(at: moment) == gone.adding(days: 1))
    }

    @Test func `keeps the person's clock when newer zone files change the law`() throws {
        // British Columbia gave up changing its clocks in 2026; a machine with older files plans an hour late.
        let birthday = try PlanScene.milestone("Birthday", "2000-12-15")
        let now = try PlanScene.moment("2026-11-20T12:00:00Z")
        let old = try PlanScene.zone(rule: "PST8PDT,M3.2.0,M11.1.0")
        let new = try PlanScene.zone(rule: "<-07>7")
        let stored = planner.plan(for: PlanScene.subject([birthday], zone: old), at: now).applied(to: [])
        let plan = planner.plan(for: PlanScene.subject([birthday], zone: new), at: now, stored: stored)
        #expect(plan.toStore.map(\.sendsAt) == stored.map { $0.sendsAt.adding(seconds: -3_600) })
        for (before, after) in zip(stored, plan.toStore) {
            #expect(old.rules.local(at: before.sendsAt) == new.rules.local(at: after.sendsAt))
        }
    }
}
