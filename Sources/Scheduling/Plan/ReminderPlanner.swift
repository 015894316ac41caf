package import KnotDomain

/// Makes plans.
///
/// A plan is a function of the subject, the moment and what is stored, so it can be made every minute or once
/// a week: what was planned stays as it is.
package struct ReminderPlanner: Hashable, Sendable {
    package let policy: ReminderPolicy

    package init(policy: ReminderPolicy = ReminderPolicy()) {
        self.policy = policy
    }

    /// Decides about every reminder within the horizon and every stored one.
    package func plan(
        for subject: ReminderSubject,
        at now: Instant,
        stored: [StoredReminder] = []
    ) -> ReminderPlan {
        let turn = PlanningTurn(policy: policy, subject: subject, now: now, stored: stored)
        var decisions: [ReminderDecision] = []
        var undated: [MilestoneID: Occurrence] = [:]
        for milestone in subject.milestones {
            let (dates, end) = turn.occurrences(of: milestone)
            if let end { undated[milestone.id] = end }
            for date in dates { decisions += turn.decisions(for: milestone.id, on: date) }
        }
        let decided = Set(decisions.map(\.key))
        for row in stored where !decided.contains(row.key) {
            decisions.append(ReminderDecision(row.key, row.settled ?? turn.orphan(row)))
        }
        let gathered = turn.gathered(turn.limited(decisions.sorted { $0.key < $1.key }))
        return ReminderPlan(
            vault: subject.vault,
            decisions: gathered,
            messages: subject.messages(gathered.compactMap { decision in decision.sendsAt.map { (decision.key, $0) } }),
            undated: undated
        )
    }
}

extension StoredReminder {
    /// What a plan says of a reminder that it may not touch; nil where it may.
    fileprivate var settled: ReminderDecision.Outcome? {
        switch state {
        case .waiting: nil
        case .begun: .begun
        case .used(let ending): .used(ending)
        }
    }
}

extension ReminderSubject {
    /// What goes out at one moment is one message; by moment.
    func messages(_ reminders: [(key: ReminderKey, sendsAt: Instant)]) -> [ReminderMessage] {
        Dictionary(grouping: reminders, by: \.sendsAt)
            .map { ReminderMessage(sendsAt: $0, reminders: inOrder($1.map(\.key)) { $0 }) }
            .sorted { $0.sendsAt < $1.sendsAt }
    }
}

/// One making of a plan, with what it needs at hand.
private struct PlanningTurn {
    let policy: ReminderPolicy
    let subject: ReminderSubject
    let now: Instant
    let rows: [ReminderKey: StoredReminder]
    let allowed: AllowedTime
    let today: CivilDate

    init(policy: ReminderPolicy, subject: ReminderSubject, now: Instant, stored: [StoredReminder]) {
        self.policy = policy
        self.subject = subject
        self.now = now
        rows = Dictionary(stored.map { ($0.key, $0) }) { first, _ in first }
        allowed = AllowedTime(zone: subject.zone.rules, window: policy.window, quiet: subject.quiet)
        today = subject.zone.rules.localDate(at: now)
    }

    private var lastDay: CivilDate { today.adding(days: policy.horizonDays) }

    /// The milestone's days from today on, as far as reminders of them are planned or stored, and why there are no more.
    func occurrences(of milestone: Milestone) -> (dates: [CivilDate], end: Occurrence?) {
        let stored = rows.keys.lazy.filter { $0.milestone == milestone.id }.map(\.occurrence).max() ?? today
        let last = max(lastDay.adding(days: policy.daysBefore.first ?? 0), stored)
        var dates: [CivilDate] = []
        var from = today
        while true {
            let found = MilestoneCalendar.occurrence(
                of: milestone,
                onOrAfter: from,
                country: subject.country,
                leapDay: policy.leapDay
            )
            guard let date = found.date else {
                // A one-time day that is still to come is not yet over.
                return (dates, milestone.recurrence == .oneTime && !dates.isEmpty ? nil : found)
            }
            if date > last { return (dates, nil) }
            dates.append(date)
            from = date.adding(days: 1)
        }
    }

    func decisions(for milestone: MilestoneID, on date: CivilDate) -> [ReminderDecision] {
        let left = today.days(until: date)
        // The one that is due now, or was last.
        let current = policy.daysBefore.last { $0 >= left }
        return policy.daysBefore.compactMap { days in
            let key = ReminderKey(milestone: milestone, occurrence: date, daysBefore: days)
            let row = rows[key]
            if let outcome = row?.settled { return ReminderDecision(key, outcome) }
            if row == nil, wasTold(key) { return ReminderDecision(key, .used(.sent)) }
            // Further than the horizon: not yet.
            if row == nil, key.day > lastDay { return nil }
            return decision(key, row: row, left: left, current: current)
        }
    }

    /// Whether its person was told before the milestone's day was moved by a day or two.
    private func wasTold(_ key: ReminderKey) -> Bool {
        rows.values.contains { row in
            row.state == .used(.sent) && row.key.milestone == key.milestone && row.key.daysBefore == key.daysBefore
                && abs(row.key.occurrence.days(until: key.occurrence)) <= policy.restDays
        }
    }

    private func decision(
        _ key: ReminderKey,
        row: StoredReminder?,
        left: Int,
        current: Int?
    ) -> ReminderDecision {
        func no(_ reason: ReminderDecision.Reason) -> ReminderDecision {
            ReminderDecision(key, row == nil ? .skip(reason) : .cancel(reason))
        }
        if !subject.isEnabled { return no(.remindersOff) }
        if left == 0 { return no(.dayHasCome) }
        if allowed.isNever { return no(.neverAllowed) }
        // It is due: whoever sends it decides what becomes of it.
        if let row, row.sendsAt <= now, key.daysBefore == current {
            let isOnTime = subject.zone.rules.localDate(at: row.sendsAt) <= key.day
            return ReminderDecision(key, .keep(row.sendsAt, isOnTime ? .onItsDay : .late))
        }
        if let current, key.daysBefore > current { return no(.standsIn(daysBefore: current)) }
        guard let (moment, timing) = time(of: key, row: row) else { return no(.noTimeLeft) }
        guard let row else {
            if timing == .late, let next = near(key, moment) { return no(.nextIsNear(daysBefore: next)) }
            return ReminderDecision(key, .plan(moment, timing))
        }
        // One that is stored comes, late or not: a worker puts off what it finds at a wrong hour, and however often a plan
        // is made meanwhile, the same is sent.
        return ReminderDecision(
            key,
            row.sendsAt == moment ? .keep(moment, timing) : .move(from: row.sendsAt, to: moment, timing)
        )
    }

    /// When a reminder goes out: on its day, or on the first one after it that has time; nil when none has.
    private func time(of key: ReminderKey, row: StoredReminder?) -> (Instant, ReminderDecision.Timing)? {
        let isLate = key.day < today || key.day == today && slot(on: today).map { $0 < now } ?? false
        if isLate, let row, holds(row) { return (row.sendsAt, .late) }
        var day = max(key.day, today)
        while day < key.occurrence {
            if let moment = allowed.slot(of: subject.vault, on: day, notBefore: now) {
                return (moment, isLate ? .late : day == key.day ? .onItsDay : .laterThan(key.day))
            }
            day = day.adding(days: 1)
        }
        return nil
    }

    /// Whether a stored moment of a late reminder still serves: it was chosen when the plan was made, not by its day.
    private func holds(_ row: StoredReminder) -> Bool {
        row.sendsAt > now && allowed.contains(row.sendsAt)
            && subject.zone.rules.localDate(at: row.sendsAt) < row.key.occurrence
    }

    /// The next reminder of the same day, when it comes within the rest after that moment.
    private func near(_ key: ReminderKey, _ moment: Instant) -> Int? {
        guard let next = policy.daysBefore.first(where: { $0 < key.daysBefore }) else { return nil }
        let day = key.occurrence.adding(days: -next)
        return subject.zone.rules.localDate(at: moment).days(until: day) <= policy.restDays ? next : nil
    }

    private func slot(on day: CivilDate) -> Instant? { allowed.slot(of: subject.vault, on: day) }

    /// A stored reminder that belongs to no day of a milestone any more.
    func orphan(_ row: StoredReminder) -> ReminderDecision.Outcome {
        .cancel(row.key.occurrence <= today ? .dayHasCome : .dayChanged)
    }

    /// Leaves out new reminders beyond the most that a person is told of on one day, those first that matter least.
    func limited(_ decisions: [ReminderDecision]) -> [ReminderDecision] {
        let rules = subject.zone.rules
        var counts: [CivilDate: Int] = [:]
        for row in rows.values where row.state != .used(.calledOff) {
            counts[rules.localDate(at: row.sendsAt), default: 0] += 1
        }
        let new = decisions.filter { if case .plan = $0.outcome { true } else { false } }
        var excess: Set<ReminderKey> = []
        for decision in subject.inOrder(new, by: \.key) {
            guard let moment = decision.sendsAt else { continue }
            let count = counts[rules.localDate(at: moment), default: 0]
            if count >= policy.mostOnADay {
                excess.insert(decision.key)
            } else {
                counts[rules.localDate(at: moment)] = count + 1
            }
        }
        return decisions.map { excess.contains($0.key) ? ReminderDecision($0.key, .skip(.dayIsFull)) : $0 }
    }

    /// The same decisions, those of one local day at its earliest moment.
    ///
    /// What is due already stays as it is: whoever sends it may have begun.
    func gathered(_ decisions: [ReminderDecision]) -> [ReminderDecision] {
        var first: [CivilDate: Instant] = [:]
        for moment in decisions.compactMap(\.sendsAt) where moment > now {
            let day = subject.zone.rules.localDate(at: moment)
            first[day] = min(first[day] ?? moment, moment)
        }
        return decisions.map { decision in
            guard let moment = decision.sendsAt, moment > now else { return decision }
            return decision.sent(at: first[subject.zone.rules.localDate(at: moment)] ?? moment)
        }
    }
}
