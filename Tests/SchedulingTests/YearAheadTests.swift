import JSONDocument
import KnotDomain
import Scheduling
import Testing

@Suite("The coming year")
struct YearAheadTests {
    private func year(
        _ milestones: [Milestone],
        at now: String = "2026-05-05T14:00:00Z",
        zone: String = "America/New_York",
        quiet: QuietHours = .standard
    ) throws -> YearAhead {
        let subject = PlanScene.subject(milestones, zone: try PlanScene.zone(zone), quiet: quiet)
        return YearAhead(of: subject, partnerName: "Dot", at: try PlanScene.moment(now))
    }

    /// The content lines of an iCalendar file with its folds taken back, or nil where it breaks the format's rules.
    private func contentLines(_ file: String) -> [String]? {
        guard file.hasSuffix("\r\n") else { return nil }
        var lines: [String] = []
        for line in file.dropLast(1).unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).dropLast(0)
        {
            var text = String(String.UnicodeScalarView(line))
            if text.unicodeScalars.last == "\r" { text.unicodeScalars.removeLast() }
            guard text.utf8.count <= 75, !text.unicodeScalars.contains("\r") else { return nil }
            if text.hasPrefix(" "), let last = lines.popLast() {
                lines.append(last + text.dropFirst())
            } else {
                lines.append(text)
            }
        }
        return lines
    }

    @Test func `says which milestone has no day, and why`() throws {
        let year = try year(
            [
                PlanScene.milestone("Diwali", "2000-11-08", kind: .holiday),
                PlanScene.milestone("Trip", "2020-01-01", kind: .custom, recurrence: .oneTime),
            ],
            at: "2029-01-01T12:00:00Z"
        )
        #expect(year.entries.isEmpty)
        let notes = year.notes(zones: PlanScene.directory)
        #expect(notes.contains { $0.hasPrefix("Diwali: ") && $0.contains("2028") })
        #expect(notes.contains { $0.hasPrefix("Trip: ") && $0.contains("does not come again") })
    }

    @Test func `has each yearly day once, today included`() throws {
        let year = try year([
            PlanScene.milestone("Birthday", "2000-05-05"), PlanScene.milestone("Yesterday", "2000-05-04"),
            PlanScene.milestone("Leap day", "2000-02-29"),
        ])
        #expect(
            year.entries.map { "\($0.milestone.name) \($0.date)" } == [
                "Birthday 2026-05-05", "Leap day 2027-02-28", "Yesterday 2027-05-04",
            ]
        )
        #expect(year.entries[1].basis == .leapDay)
        #expect(year.entries.map(\.reminders.count) == [3, 3, 3])
    }

    @Test func `tells a person when they hear of each day, and of which together`() throws {
        let lines = try year([
            PlanScene.milestone("Birthday", "2000-06-16"),
            PlanScene.milestone("Wedding day", "2000-06-23", kind: .anniversary),
        ]).lines(zones: PlanScene.directory)
        #expect(lines[0] == "The coming year of Dot, Tue 5 May 2026 to Tue 4 May 2027")
        #expect(lines.contains("Tue 16 Jun 2026  Birthday, in 42 days"))
        let second = try #require(lines.first { $0.contains(" 7 days ahead: Tue 9 Jun 2026 at ") })
        #expect(second.hasSuffix(", together with Wedding day"))
    }

    @Test func `says of a reminder that waits whether its moment is still to come or is over`() throws {
        let birthday = try PlanScene.milestone("Birthday", "2000-05-16")
        let subject = PlanScene.subject([birthday], zone: try PlanScene.zone("America/New_York"))
        let key = ReminderKey(milestone: birthday.id, occurrence: try PlanScene.day("2026-05-16"), daysBefore: 7)
        let planned = try PlanScene.moment("2026-05-05T14:00:00Z")
        let plan = ReminderPlanner().plan(for: subject, at: planned)
        let moment = try #require(plan.decisions.first { $0.key == key }?.sendsAt)
        let stored = [StoredReminder(key: key, sendsAt: moment, state: .waiting)]
        func line(at now: Instant) throws -> String {
            let year = YearAhead(of: subject, partnerName: "Dot", at: now, stored: stored)
            return try #require(
                year.lines(zones: PlanScene.directory).first { $0.contains(" 7 days ahead: Sat 9 May") }
            )
        }
        #expect(try line(at: planned).hasSuffix(", as planned"))
        #expect(try line(at: moment).hasSuffix(", due"))
        #expect(try line(at: moment.adding(seconds: 60)).hasSuffix(", due"))
    }

    @Test func `is a document in which every moment has its reason`() throws {
        let year = try year([PlanScene.milestone("Birthday", "2000-05-16")])
        let document = year.json(zones: PlanScene.directory)
        let reminders = document["days"]?.array?.first?["reminders"]?.array ?? []
        #expect(reminders.count == 3)
        #expect(reminders.first?["sends_at"]?.string != nil)
        let late = "late, for all that were missed"
        #expect(reminders.first?["says"]?.string?.hasSuffix(late) == true)
        #expect(document["messages"]?.array?.count == 3)
    }

    @Test func `is an iCalendar file with folded lines, stable names and an alarm for each reminder`() throws {
        let long = "Zoë’s “first; big, day” \\ at the 日本 restaurant with everybody we ever met, and their dogs 👩‍👩‍👧 too"
        let milestones = [
            try PlanScene.milestone(long, "2000-06-16", id: "0b51b1f2-7d52-4d9c-9d93-7ff1a4a0b001"),
            try PlanScene.milestone("Diwali", "2000-11-08", kind: .holiday, id: "0b51b1f2-7d52-4d9c-9d93-7ff1a4a0b002"),
        ]
        let file = try year(milestones).iCalendar
        let lines = try #require(contentLines(file))
        #expect(lines.first == "BEGIN:VCALENDAR")
        #expect(lines.contains("UID:0b51b1f2-7d52-4d9c-9d93-7ff1a4a0b001@knot-recommend"))
        #expect(lines.contains("DTSTART;VALUE=DATE:20260616") && lines.contains("DTEND;VALUE=DATE:20260617"))
        let escaped = long.replacing("\\", with: "\\\\").replacing(";", with: "\\;").replacing(",", with: "\\,")
        #expect(lines.contains("SUMMARY:\(escaped)"))
        #expect(lines.count { $0 == "BEGIN:VALARM" } == 6)
        #expect(lines.count { $0.hasPrefix("TRIGGER;VALUE=DATE-TIME:2026") && $0.hasSuffix("Z") } == 6)
        #expect(try year(milestones).iCalendar == file)
        // The day after, the same events have the same names.
        let next = try #require(contentLines(try year(milestones, at: "2026-05-06T14:00:00Z").iCalendar))
        #expect(next.filter { $0.hasPrefix("UID:") } == lines.filter { $0.hasPrefix("UID:") })
    }

    /// A calendar replaces what has the same name, and leaves everything else where it is.
    @Test func `is a file in which a milestone has the same name whatever day it has, and one name for all its days`()
        throws
    {
        func lines(_ milestone: Milestone, at now: String = "2026-05-05T14:00:00Z") throws -> [String] {
            try #require(contentLines(try year([milestone], at: now).iCalendar))
        }
        let before = try lines(PlanScene.milestone("Birthday", "2000-12-30"))
        let edited = try lines(PlanScene.milestone("Birthday", "2000-01-02"))
        #expect(before.contains("DTSTART;VALUE=DATE:20261230") && edited.contains("DTSTART;VALUE=DATE:20270102"))
        #expect(before.filter { $0.hasPrefix("UID:") } == edited.filter { $0.hasPrefix("UID:") })
        // Within a year from one second Sunday in May there is another one.
        let holiday = try PlanScene.milestone("Mother's Day", "2000-05-10", kind: .holiday)
        let twice = try lines(holiday, at: "2026-05-10T14:00:00Z")
        #expect(twice.count { $0.hasPrefix("UID:") } == 1 && twice.contains("DTSTART;VALUE=DATE:20260510"))
        #expect(twice.contains("RDATE;VALUE=DATE:20270509") && twice.count { $0 == "BEGIN:VALARM" } == 3)
        #expect(twice.contains("DESCRIPTION:Mother's Day in 14 days"))
    }

    @Test func `lets no text end a line of the file or begin another property`() {
        #expect(ICalendarText.escaped("a\r\nEND:VEVENT\nb\rc\td\u{0}\u{1b}e") == "a\\nEND:VEVENT\\nb\\nc de")
    }
}
