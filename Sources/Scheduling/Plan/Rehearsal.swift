package import KnotDomain

/// What would be sent to one vault's person between two of their days, and what would not, and why.
package struct Rehearsal: Hashable, Sendable {
    /// The person's own days; both count.
    package let days: ClosedRange<CivilDate>
    package let subject: ReminderSubject
    /// By moment.
    package let messages: [ReminderMessage]
    /// Reminders that are due in those days and do not come, and stored ones that would be cancelled.
    package let leftOut: [ReminderDecision]

    /// Plans from now on: what is missed before the first of these days was not missed by who plans all the time.
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
        self.days = days
        self.subject = subject
        messages = plan.messages.filter { message in
            message.sendsAt >= now && days.contains(zone.localDate(at: message.sendsAt))
        }
        leftOut = plan.decisions.filter { decision in
            switch decision.outcome {
            case .skip: days.contains(decision.key.day)
            case .cancel: true
            case .plan, .move, .keep, .used: false
            }
        }
    }

    /// One line for each message and each reminder that does not come.
    package var lines: [String] {
        let words = ReminderWords(zone: subject.zone.rules)
        return messages.map { message in
            let names = message.reminders.map { "\(name($0)) (\($0.daysBefore) days ahead)" }
            return "\(words.time(message.sendsAt)) \(subject.zone.name): \(names.joined(separator: ", "))"
        } + leftOut.map { "\(name($0.key)) (\($0.key.daysBefore) days ahead): \(words.text($0.outcome))" }
    }

    private func name(_ key: ReminderKey) -> String {
        subject.milestones.first { $0.id == key.milestone }?.name ?? "a milestone that is gone"
    }
}
