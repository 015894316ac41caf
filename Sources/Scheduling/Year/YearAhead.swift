package import KnotDomain

/// The coming year of one vault: every day that matters, with its reminders.
package struct YearAhead: Hashable, Sendable {
    /// One day of one milestone.
    package struct Entry: Hashable, Sendable {
        package let milestone: Milestone
        package let date: CivilDate
        package let basis: Occurrence.Basis
        /// The earliest first.
        package let reminders: [ReminderDecision]
    }

    package let subject: ReminderSubject
    package let partnerName: String
    package let now: Instant
    /// The person's today and the last day shown, a year later.
    package let today: CivilDate
    package let last: CivilDate
    /// By date, then by name.
    package let entries: [Entry]
    package let plan: ReminderPlan

    /// Works the year out; what is stored already is shown as it is.
    package init(
        of subject: ReminderSubject,
        partnerName: String,
        at now: Instant,
        policy: ReminderPolicy = ReminderPolicy(),
        stored: [StoredReminder] = []
    ) {
        let policy = ReminderPolicy(
            daysBefore: policy.daysBefore,
            window: policy.window,
            leapDay: policy.leapDay,
            restDays: policy.restDays,
            horizonDays: 366
        )
        let today = subject.zone.rules.localDate(at: now)
        // A year has one 16 May: the day before the same one next year is the last.
        let last = CivilDate(year: today.year + 1, month: today.month, day: today.day) ?? today.adding(days: 366)
        let plan = ReminderPlanner(policy: policy).plan(for: subject, at: now, stored: stored)
        let decisions = Dictionary(grouping: plan.decisions) { Slot($0.key) }
        self.subject = subject
        self.partnerName = partnerName
        self.now = now
        self.today = today
        self.last = last.adding(days: -1)
        self.plan = plan
        entries = subject.milestones.flatMap { milestone in
            Self.days(of: milestone, from: today, before: last, country: subject.country, leapDay: policy.leapDay)
                .map { date, basis in
                    let slot = Slot(milestone: milestone.id, date: date)
                    let reminders = (decisions[slot] ?? []).sorted { $0.key.daysBefore > $1.key.daysBefore }
                    return Entry(milestone: milestone, date: date, basis: basis, reminders: reminders)
                }
        }
        .sorted { ($0.date, $0.milestone.name, $0.milestone.id) < ($1.date, $1.milestone.name, $1.milestone.id) }
    }

    /// The messages that speak of a day shown.
    package var messages: [ReminderMessage] {
        plan.messages.filter { message in message.reminders.contains { $0.occurrence <= last } }
    }

    /// What to say beside the days: of the zone, and of milestones that have no day.
    package func notes(zones: any ZoneSource) -> [String] {
        let words = subject.milestones.compactMap { milestone in
            plan.undated[milestone.id].map { "\(milestone.name): \(ReminderWords.text($0))." }
        }
        return [subject.zone.warning].compactMap(\.self) + words + ZoneFact.unknown(to: zones).map(\.warning)
    }

    /// The names of the other milestones that one reminder's message speaks of.
    package func companions(of key: ReminderKey) -> [String] {
        guard let message = plan.messages.first(where: { $0.reminders.contains(key) }) else { return [] }
        return message.reminders.filter { $0 != key }.compactMap { other in
            subject.milestones.first { $0.id == other.milestone }?.name
        }
    }

    private struct Slot: Hashable {
        let milestone: MilestoneID
        let date: CivilDate

        init(milestone: MilestoneID, date: CivilDate) {
            self.milestone = milestone
            self.date = date
        }

        init(_ key: ReminderKey) {
            self.init(milestone: key.milestone, date: key.occurrence)
        }
    }

    private static func days(
        of milestone: Milestone,
        from today: CivilDate,
        before end: CivilDate,
        country: String?,
        leapDay: LeapDayPolicy
    ) -> [(CivilDate, Occurrence.Basis)] {
        var days: [(CivilDate, Occurrence.Basis)] = []
        var from = today
        while case .on(let date, let basis) = MilestoneCalendar.occurrence(
            of: milestone,
            onOrAfter: from,
            country: country,
            leapDay: leapDay
        ), date < end {
            days.append((date, basis))
            from = date.adding(days: 1)
        }
        return days
    }
}
