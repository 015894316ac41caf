import Foundation
import KnotDomain
import Scheduling
import TestSupport
import Testing

/// What holds for every milestone, year, zone and policy.
///
/// A sample here; `make sweep` takes them all.
@Suite("The laws of planning")
struct ReminderLawTests {
    /// Whether everything is gone through, which takes minutes.
    private static let isSweep = ProcessInfo.processInfo.environment["KNOT_EVERY_DAY"] != nil
    private static let years = 1970...2100

    private func milestone(_ date: CivilDate, _ recurrence: Milestone.Recurrence = .yearly) -> Milestone {
        Milestone(
            id: MilestoneID("m"),
            kind: .birthday,
            name: "Birthday",
            date: date,
            recurrence: recurrence,
            tier: .majorMilestone
        )
    }

    /// Every month and day, in every year, by every policy: where the day is, told by another rule.
    @Test func `find each year's day of every month and day`() async throws {
        for policy in LeapDayPolicy.allCases {
            for ordinal in 0..<366 {
                await Task.yield()
                let stored = try PlanScene.day("2000-01-01").adding(days: ordinal)
                var expected: [CivilDate] = []
                for year in Self.years {
                    let isMissing = stored.month == 2 && stored.day == 29 && !(year % 4 == 0 && year != 2100)
                    if !isMissing {
                        expected.append(
                            try PlanScene.day("\(year)-\(stored.description.dropFirst(5))")
                        )
                    } else if policy != .skip {
                        expected.append(
                            try PlanScene.day("\(year)-\(policy == .march1 ? "03-01" : "02-28")")
                        )
                    }
                }
                var found: [CivilDate] = []
                var from = try PlanScene.day("1970-01-01")
                while found.count < expected.count,
                    let date = MilestoneCalendar.occurrence(
                        of: milestone(stored),
                        onOrAfter: from,
                        country: nil,
                        leapDay: policy
                    ).date
                {
                    found.append(date)
                    from = date.adding(days: 1)
                }
                #expect(found == expected, "\(stored) by \(policy)")
            }
        }
    }

    /// A slot depends on zone and day alone, so every zone and every day is every milestone's every reminder.
    @Test func `put every zone's every day's slot into the window on that day`() async throws {
        let seed: UInt64 = 41
        var random = SeededRandom(seed: seed)
        let first = try PlanScene.day("1970-01-01").daysSinceEpoch
        let last = try PlanScene.day("2100-12-31").daysSinceEpoch
        let zones = try PlanScene.everyZone()
        #expect(zones.count > 300)
        for zone in zones {
            var days =
                Self.isSweep ? Array(first...last) : (0..<8).map { _ in Int.random(in: first...last, using: &random) }
            if !Self.isSweep {
                // Days on which the clock changes, and those beside them.
                let changes = zone.rules.offsetSpans(in: first * 86_400..<last * 86_400).map {
                    $0.seconds.lowerBound / 86_400
                }
                for change in changes.shuffled(using: &random).prefix(3) { days += [change - 1, change, change + 1] }
            }
            for (place, day) in days.enumerated() {
                if place % 64 == 0 { await Task.yield() }
                let start = Int.random(in: 0...23, using: &random)
                let quiet =
                    QuietHours(start: start, end: (start + Int.random(in: 0...12, using: &random)) % 24) ?? .none
                let allowed = AllowedTime(zone: zone.rules, window: .daytime, quiet: quiet)
                let date = CivilDate(daysSinceEpoch: day)
                guard let slot = allowed.slot(on: date, key: random.next()) else {
                    // No time: a day that does not exist there, or one that is quiet throughout.
                    let noon = try #require(LocalDateTime(date: date, hour: 12, minute: 0))
                    let isMissing = zone.rules.local(at: zone.rules.instant(of: noon)).date != date
                    guard isMissing || allowed.isNever else {
                        Issue.record("\(zone.name) has no time on \(date), quiet \(quiet), seed \(seed)")
                        return
                    }
                    continue
                }
                let local = zone.rules.local(at: slot)
                guard local.date == date, allowed.contains(slot), (36_000..<74_700).contains(local.secondOfDay) else {
                    Issue.record("\(zone.name): \(local) is no time of \(date), quiet \(quiet), seed \(seed)")
                    return
                }
            }
        }
    }

    @Test func `hold for any milestone, zone, policy and moment`() async throws {
        let seed: UInt64 = 77
        var random = SeededRandom(seed: seed)
        let zones = try PlanScene.everyZone()
        for round in 0..<(Self.isSweep ? 200_000 : 500) {
            if round % 16 == 0 { await Task.yield() }
            let policy = ReminderPolicy(
                daysBefore: Bool.random(using: &random)
                    ? [14, 7, 3] : (0..<3).map { _ in Int.random(in: 1...30, using: &random) },
                leapDay: LeapDayPolicy.allCases.randomElement(using: &random) ?? .skip
            )
            let zone = try #require(zones.randomElement(using: &random))
            let stored = CivilDate(daysSinceEpoch: 10_957 + Int.random(in: 0..<366, using: &random))
            let subject = PlanScene.subject([milestone(stored)], zone: zone, quiet: .none)
            let second = Int64.random(in: 0..<4_102_444_800, using: &random)
            let now = Instant(millisecondsSinceEpoch: second * 1_000)
            let planner = ReminderPlanner(policy: policy)
            let plan = planner.plan(for: subject, at: now)
            let rows = plan.applied(to: [])
            let context = "\(stored) in \(zone.name) at \(now), \(policy.leapDay), \(policy.daysBefore), seed \(seed)"

            // One: a function of its inputs, and what is planned stays.
            let again = planner.plan(for: subject, at: now.adding(seconds: 60), stored: rows)
            // Past midnight the horizon is a day further, and what is due on that day is new.
            let last = zone.rules.localDate(at: now).adding(days: policy.horizonDays)
            let isNewDay = again.toStore.allSatisfy { $0.key.day > last }
            guard planner.plan(for: subject, at: now) == plan, isNewDay, again.toCancel.isEmpty else {
                Issue.record("not the same plan again: \(context)")
                return
            }
            // Four: no key twice.
            guard Set(plan.decisions.map(\.key)).count == plan.decisions.count else {
                Issue.record("a key twice: \(context)")
                return
            }
            for decision in plan.decisions {
                guard case .plan(let moment, let timing) = decision.outcome else { continue }
                let local = zone.rules.local(at: moment)
                // Two: exactly so many days ahead, unless it says that it is not.
                let isOnItsDay = local.date.days(until: decision.key.occurrence) == decision.key.daysBefore
                // Three: inside the window, not in the past, before the day.
                guard isOnItsDay || timing != .onItsDay, moment >= now, local.date < decision.key.occurrence,
                    (36_000..<74_700).contains(local.secondOfDay)
                else {
                    Issue.record("\(decision.key) at \(local), \(timing): \(context)")
                    return
                }
            }
            // Five: what is used stays used, a day later too.
            let used = rows.map { StoredReminder(key: $0.key, sendsAt: $0.sendsAt, state: .used(.sent)) }
            let tomorrow = planner.plan(for: subject, at: now.adding(seconds: 86_400), stored: used)
            guard Set(tomorrow.toStore.map(\.key)).isDisjoint(with: rows.map(\.key)) else {
                Issue.record("a used key again: \(context)")
                return
            }
        }
    }
}
