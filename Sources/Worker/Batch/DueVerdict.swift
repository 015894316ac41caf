import KnotDomain
import Scheduling

/// What becomes of a claimed reminder, as things are stored now: looked at before anything is made for it, and once more
/// before it is handed over.
enum DueVerdict: Sendable, Equatable {
    case go
    /// It has to wait, and why.
    case snooze(until: Instant, code: String)
    /// It is of no use any more, and why.
    case cancel(code: String)
    case fail(JobFailure)

    init(_ key: ReminderKey, _ due: DueReminder, at now: Instant, policy: ReminderPolicy) {
        guard due.isWanted else {
            self = .cancel(code: "notification_ended")
            return
        }
        let subject: ReminderSubject
        do throws(JobFailure) {
            subject = try due.person.get().subject
        } catch {
            self = .fail(error)
            return
        }
        let today = subject.zone.rules.localDate(at: now)
        let decision = SendDecision(
            for: key,
            of: subject.vault,
            plannedFor: due.plannedFor,
            at: now,
            in: subject.allowed(policy),
            isEnabled: subject.isEnabled
        )
        switch decision {
        case .expire(let reason): self = .cancel(code: reason.code)
        case .wait(let until):
            self =
                Self.calledOff(key, subject, today, policy).map { .cancel(code: $0) }
                ?? .snooze(until: until, code: "wrong_hour")
        case .send:
            self =
                Self.calledOff(key, subject, today, policy).map { .cancel(code: $0) }
                ?? (due.isToldElsewhere ? .snooze(until: Self.turn(after: now), code: "told_elsewhere") : .go)
        }
    }

    /// By chance somewhat later: two that wait for one another must not come back at the same moment.
    private static func turn(after now: Instant) -> Instant {
        Instant(millisecondsSinceEpoch: now.millisecondsSinceEpoch + .random(in: 5_000...15_000))
    }

    /// Why the reminder is not that of a milestone any more, or not the one of this day.
    private static func calledOff(
        _ key: ReminderKey,
        _ subject: ReminderSubject,
        _ today: CivilDate,
        _ policy: ReminderPolicy
    ) -> String? {
        guard let milestone = subject.milestones.first(where: { $0.id == key.milestone }) else {
            return "milestone_gone"
        }
        let next = MilestoneCalendar.occurrence(
            of: milestone,
            onOrAfter: today,
            country: subject.country,
            leapDay: policy.leapDay
        )
        guard next.date == key.occurrence else { return "day_changed" }
        // The one that is due now, or was last, stands for those before it.
        let current = policy.daysBefore.last { $0 >= today.days(until: key.occurrence) }
        if let current, key.daysBefore > current { return "later_one_stands" }
        return nil
    }
}

extension ReminderSubject {
    /// When this person may be reminded.
    func allowed(_ policy: ReminderPolicy) -> AllowedTime {
        AllowedTime(zone: zone.rules, window: policy.window, quiet: quiet)
    }

    /// The moment that a reminder's set is made as of: the one that it was planned for, else the first allowed of the day.
    ///
    /// A second attempt on the same day makes the same set.
    func asOf(_ planned: Instant, at now: Instant, _ policy: ReminderPolicy) -> Instant {
        let today = zone.rules.localDate(at: now)
        if planned <= now, zone.rules.localDate(at: planned) == today { return planned }
        let first = allowed(policy).spans(on: today).first.map {
            Instant(millisecondsSinceEpoch: Int64($0.lowerBound) * 1_000)
        }
        return first.map { min($0, now) } ?? now
    }
}

extension ReminderDecision.Reason {
    /// Lower case words joined by underscores.
    var code: String {
        switch self {
        case .standsIn, .nextIsNear: "later_one_stands"
        case .dayHasCome: "day_has_come"
        case .remindersOff: "reminders_off"
        case .noTimeLeft: "no_time_left"
        case .neverAllowed: "never_allowed"
        case .dayIsFull: "day_is_full"
        case .dayChanged: "day_changed"
        }
    }
}
