import Foundation
import KnotDomain
import Scheduling
import TestSupport
import Testing

/// Years of planning and sending by a clock of our own.
@Suite("Ten years of reminders")
struct ReminderSimulationTests {
    /// What went out: the key and the moment.
    private struct Sent: Hashable {
        let key: ReminderKey
        let moment: Instant
    }

    /// Plans at some moments, and sends whatever is due at each message's own moment.
    private func play(
        _ subject: ReminderSubject,
        from start: CivilDate,
        to end: CivilDate,
        everyDays step: ClosedRange<Int>,
        seed: UInt64
    ) async -> [Sent] {
        var random = SeededRandom(seed: seed)
        var rows: [StoredReminder] = []
        var sent: [Sent] = []
        var day = start
        let planner = ReminderPlanner()
        while day < end {
            await Task.yield()
            let second = day.daysSinceEpoch * 86_400 + Int.random(in: 0..<86_400, using: &random)
            let now = Instant(millisecondsSinceEpoch: 0).adding(seconds: second)
            for (place, row) in rows.enumerated() where row.state == .waiting && row.sendsAt <= now {
                sent.append(Sent(key: row.key, moment: row.sendsAt))
                rows[place] = StoredReminder(key: row.key, sendsAt: row.sendsAt, state: .used(.sent))
            }
            rows = planner.plan(for: subject, at: now, stored: rows).applied(to: rows)
            // Keys are kept for ever; those of a past year need no place in memory.
            rows.removeAll { $0.state == .used(.sent) && $0.key.occurrence.adding(days: 60) < day }
            day = day.adding(days: Int.random(in: step, using: &random))
        }
        return sent
    }

    private static let zones = ["America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"]

    @Test(arguments: zones)
    func `send each reminder once, on its day and in the window`(name: String) async throws {
        let zone = try PlanScene.zone(name)
        let milestones = [
            try PlanScene.milestone("Birthday", "2000-02-29"),
            try PlanScene.milestone("Wedding day", "2000-01-03", kind: .anniversary),
            try PlanScene.milestone("Mother's Day", "2000-05-10", kind: .holiday, tier: .minorOccasion),
            try PlanScene.milestone("Trip", "2027-03-14", kind: .custom, recurrence: .oneTime),
        ]
        let subject = PlanScene.subject(milestones, zone: zone)
        let start = try PlanScene.day("2023-01-01")
        let end = try PlanScene.day("2033-01-01")
        let seed: UInt64 = 20_230_101
        let sent = await play(subject, from: start, to: end, everyDays: 1...2, seed: seed)

        var expected: Set<ReminderKey> = []
        for milestone in milestones {
            var from = start.adding(days: 15)
            while let date = MilestoneCalendar.occurrence(of: milestone, onOrAfter: from, country: "US").date,
                date.adding(days: 3) < end
            {
                for days in [14, 7, 3] {
                    expected.insert(ReminderKey(milestone: milestone.id, occurrence: date, daysBefore: days))
                }
                from = date.adding(days: 1)
            }
        }
        #expect(expected.count == 3 * 31 || expected.count == 3 * 30, "\(expected.count)")
        let inside = sent.filter {
            $0.key.occurrence >= start.adding(days: 15) && $0.key.occurrence.adding(days: 3) < end
        }
        #expect(inside.count == expected.count, "once each, seed \(seed)")
        #expect(Set(inside.map(\.key)) == expected, "seed \(seed)")
        for one in sent where one.key.occurrence >= start.adding(days: 15) {
            let local = zone.rules.local(at: one.moment)
            #expect(local.date == one.key.day && (36_000..<74_700).contains(local.secondOfDay), "\(one), seed \(seed)")
        }
    }

    @Test func `send the same whether planned every day or every other week`() async throws {
        let zone = try PlanScene.zone("Europe/London")
        let milestones = [
            try PlanScene.milestone("Birthday", "2000-07-20"),
            try PlanScene.milestone("Easter", "2000-04-10", kind: .holiday, tier: .minorOccasion),
        ]
        let subject = PlanScene.subject(milestones, zone: zone)
        let start = try PlanScene.day("2026-06-01")
        let end = try PlanScene.day("2029-06-01")
        let daily = await play(subject, from: start, to: end, everyDays: 1...1, seed: 1)
        let rarely = await play(subject, from: start, to: end, everyDays: 1...14, seed: 2)
        let ends = end.adding(days: -30)
        #expect(Set(daily.filter { $0.key.occurrence < ends }) == Set(rarely.filter { $0.key.occurrence < ends }))
        #expect(daily.count >= 18)
    }

    @Test func `lose nothing and repeat nothing when milestones, zones and the planner come and go`() async throws {
        let seed: UInt64 = 5_150
        var random = SeededRandom(seed: seed)
        let zones = try ["America/New_York", "Asia/Tokyo", "Pacific/Honolulu"].map { try PlanScene.zone($0) }
        for round in 0..<12 {
            var rows: [StoredReminder] = []
            var sent: [Sent] = []
            var date = try PlanScene.day("2000-06-15")
            var zone = zones[0]
            var now = try PlanScene.moment("2026-04-01T00:00:00Z")
            let end = try PlanScene.moment("2026-08-01T00:00:00Z")
            while now < end {
                await Task.yield()
                let subject = PlanScene.subject(
                    [try PlanScene.milestone("Birthday", date.description)],
                    zone: zone,
                    quiet: .none
                )
                rows = ReminderPlanner().plan(for: subject, at: now, stored: rows).applied(to: rows)
                let next = now.adding(seconds: Int.random(in: 60...900_000, using: &random))
                // Somebody sends what is due, looking at the window again.
                for (place, row) in rows.enumerated() where row.state == .waiting && row.sendsAt <= next {
                    let allowed = AllowedTime(zone: zone.rules, window: .daytime, quiet: .none)
                    var moment = row.sendsAt
                    func decision() -> SendDecision {
                        SendDecision(
                            for: row.key,
                            of: subject.vault,
                            plannedFor: row.sendsAt,
                            at: moment,
                            in: allowed
                        )
                    }
                    if case .wait(let until) = decision() { moment = until }
                    guard moment <= next else { continue }
                    if decision() == .send {
                        sent.append(Sent(key: row.key, moment: moment))
                        let local = zone.rules.local(at: moment)
                        #expect((36_000..<75_600).contains(local.secondOfDay), "\(local), seed \(seed)")
                        #expect(local.date < row.key.occurrence, "\(row.key), seed \(seed)")
                    }
                    rows[place] = StoredReminder(key: row.key, sendsAt: row.sendsAt, state: .used(.sent))
                }
                if Int.random(in: 0..<4, using: &random) == 0 {
                    zone = try #require(zones.randomElement(using: &random))
                }
                if Int.random(in: 0..<6, using: &random) == 0 {
                    date = date.adding(days: Int.random(in: -4...4, using: &random))
                }
                now = next
            }
            #expect(Set(sent.map(\.key)).count == sent.count, "a reminder twice in round \(round), seed \(seed)")
            #expect(!sent.isEmpty, "round \(round), seed \(seed)")
        }
    }
}
