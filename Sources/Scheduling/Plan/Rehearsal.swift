package import KnotDomain

/// What would be sent to one vault's person between two of their days, and what would not, and why.
package struct Rehearsal: Hashable, Sendable {
    /// The person's own days; both count.
    package let days: ClosedRange<CivilDate>
    package let subject: ReminderSubject
    /// The moment that it was played at.
    package let now: Instant
    /// By moment.
    package let messages: [ReminderMessage]
    /// Reminders that are due in those days and do not come, and stored ones that would be cancelled.
    package let leftOut: [ReminderDecision]

    /// Plans from now on: what is missed before the first of these days was not missed by who plans all the time.
    ///
    /// What is due already, or was tried before, goes out as whoever sends it decides at its next try.
    package init(
        of subject: ReminderSubject,
        days: ClosedRange<CivilDate>,
        now: Instant,
        stored: [StoredReminder] = [],
        policy: ReminderPolicy = ReminderPolicy()
    ) {
        let zone = subject.zone.rules
        let policy = ReminderPolicy(
            daysBefore: policy.daysBefore,
            window: policy.window,
            leapDay: policy.leapDay,
            restDays: policy.restDays,
            horizonDays: max(0, zone.localDate(at: now).days(until: days.upperBound))
        )
        let plan = ReminderPlanner(policy: policy).plan(for: subject, at: now, stored: stored)
        let rows = Dictionary(stored.map { ($0.key, $0) }) { first, _ in first }
        let due = DueRehearsal(of: plan, subject, at: now, rows, policy)
        let planned = plan.decisions.compactMap { decision in decision.sendsAt.map { (decision.key, $0) } }
        self.days = days
        self.subject = subject
        self.now = now
        messages = subject.messages(due.reminders + planned.filter { $0.1 >= now })
            .filter { days.contains(zone.localDate(at: $0.sendsAt)) }
        leftOut =
            plan.decisions.filter { decision in
                switch decision.outcome {
                case .skip: days.contains(decision.key.day)
                case .cancel: true
                // When it was to come; what was sent came.
                case .used(.failed), .used(.calledOff):
                    rows[decision.key].map { days.contains(zone.localDate(at: $0.sendsAt)) } ?? false
                case .plan, .move, .keep, .begun, .used(.sent): false
                }
            } + due.leftOut
    }

    /// One line for each message and each reminder that does not come.
    package var lines: [String] {
        let words = ReminderWords(zone: subject.zone.rules, now: now)
        return messages.map { message in
            let names = message.reminders.map { "\(name($0)) (\($0.daysBefore) days ahead)" }
            return "\(words.time(message.sendsAt)) \(subject.zone.name): \(names.joined(separator: ", "))"
        } + leftOut.map { "\(name($0.key)) (\($0.key.daysBefore) days ahead): \(words.text($0.outcome))" }
    }

    private func name(_ key: ReminderKey) -> String {
        subject.milestones.first { $0.id == key.milestone }?.name ?? "a milestone that is gone"
    }
}

/// What becomes of reminders that no plan touches any more and nobody has sent: those whose moment is over, and those that
/// were begun.
private struct DueRehearsal {
    private(set) var reminders: [(key: ReminderKey, sendsAt: Instant)] = []
    private(set) var leftOut: [ReminderDecision] = []
    private let subject: ReminderSubject
    private let policy: ReminderPolicy
    private let allowed: AllowedTime

    init(
        of plan: ReminderPlan,
        _ subject: ReminderSubject,
        at now: Instant,
        _ rows: [ReminderKey: StoredReminder],
        _ policy: ReminderPolicy
    ) {
        self.subject = subject
        self.policy = policy
        allowed = AllowedTime(zone: subject.zone.rules, window: policy.window, quiet: subject.quiet)
        for decision in plan.decisions {
            let planned = rows[decision.key]?.sendsAt ?? now
            switch decision.outcome {
            case .keep(let moment, _) where moment < now: break
            case .begun: break
            default: continue
            }
            switch fate(of: decision.key, plannedFor: planned, at: max(now, planned)) {
            case .success(let moment): reminders.append((decision.key, moment))
            case .failure(let end): leftOut.append(ReminderDecision(decision.key, .cancel(end.reason)))
            }
        }
    }

    private struct End: Error {
        let reason: ReminderDecision.Reason
    }

    /// When it goes out, or why it does not.
    private func fate(of key: ReminderKey, plannedFor planned: Instant, at next: Instant) -> Result<Instant, End> {
        let decision = SendDecision(
            for: key,
            of: subject.vault,
            plannedFor: planned,
            at: next,
            in: allowed,
            isEnabled: subject.isEnabled
        )
        let moment: Instant
        switch decision {
        case .send: moment = next
        case .wait(let until): moment = until
        case .expire(let reason): return .failure(End(reason: reason))
        }
        return calledOff(key, on: allowed.zone.localDate(at: moment)).map { .failure(End(reason: $0)) }
            ?? .success(moment)
    }

    /// Why it is not the reminder of a milestone's day any more, or not the one of that day.
    private func calledOff(_ key: ReminderKey, on day: CivilDate) -> ReminderDecision.Reason? {
        guard let milestone = subject.milestones.first(where: { $0.id == key.milestone }),
            MilestoneCalendar.occurrence(
                of: milestone,
                onOrAfter: day,
                country: subject.country,
                leapDay: policy.leapDay
            ).date == key.occurrence
        else { return .dayChanged }
        let current = policy.daysBefore.last { $0 >= day.days(until: key.occurrence) }
        return current.flatMap { key.daysBefore > $0 ? .standsIn(daysBefore: $0) : nil }
    }
}
