package import KnotDomain

/// What is to be done about one reminder, and why.
package struct ReminderDecision: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// It is new.
        case plan(Instant, Timing)
        /// It waits for another moment than it should.
        case move(from: Instant, to: Instant, Timing)
        /// It stays as it is stored.
        case keep(Instant, Timing)
        /// It waits and is not wanted any more.
        case cancel(Reason)
        /// It is in work, or is tried again: whoever sends it decides what becomes of it.
        case begun
        /// It was sent, has failed, or was called off.
        case used(StoredReminder.Ending)
        /// It is not planned.
        case skip(Reason)
    }

    /// Why a reminder comes on that day.
    package enum Timing: Hashable, Sendable {
        case onItsDay
        /// Its day does not exist in the zone or has no allowed time left, so it comes on a later one.
        case laterThan(CivilDate)
        /// The milestone became known too late; one reminder stands for all that were missed.
        case late
    }

    /// Why a reminder does not come.
    package enum Reason: Hashable, Sendable {
        /// The one that many days ahead stands for it.
        case standsIn(daysBefore: Int)
        /// It would be late, and the next one comes so soon that it is enough.
        case nextIsNear(daysBefore: Int)
        /// The milestone's day is here.
        case dayHasCome
        case remindersOff
        /// It would be late, and the last allowed time before the day is over.
        case noTimeLeft
        /// Quiet hours leave nothing of the window.
        case neverAllowed
        /// Its person is told of enough on that day, and of what matters more.
        case dayIsFull
        /// The milestone is gone or has another day now.
        case dayChanged
    }

    package let key: ReminderKey
    package let outcome: Outcome

    package init(_ key: ReminderKey, _ outcome: Outcome) {
        self.key = key
        self.outcome = outcome
    }

    /// When it goes out; nil when it does not, or did already.
    package var sendsAt: Instant? {
        switch outcome {
        case .plan(let moment, _), .move(_, let moment, _), .keep(let moment, _): moment
        case .cancel, .begun, .used, .skip: nil
        }
    }

    /// The same, at another moment of its day.
    func sent(at moment: Instant) -> ReminderDecision {
        switch outcome {
        case .plan(_, let timing): ReminderDecision(key, .plan(moment, timing))
        case .keep(moment, _), .cancel, .begun, .used, .skip: self
        case .keep(let before, let timing): ReminderDecision(key, .move(from: before, to: moment, timing))
        case .move(moment, _, let timing): ReminderDecision(key, .keep(moment, timing))
        case .move(let before, _, let timing): ReminderDecision(key, .move(from: before, to: moment, timing))
        }
    }
}

/// One message: a reminder, or all of one vault that come on one day.
package struct ReminderMessage: Hashable, Sendable {
    package let sendsAt: Instant
    /// In the order in which they are told of: `ReminderSubject.inOrder`.
    package let reminders: [ReminderKey]
}

/// The reminders of one vault: what is to be done about each, and the messages that come of it.
package struct ReminderPlan: Hashable, Sendable {
    package let vault: VaultID
    /// By occurrence, milestone and days ahead.
    package let decisions: [ReminderDecision]
    /// By moment.
    package let messages: [ReminderMessage]
    /// Milestones that do not come again, or of which nobody knows when.
    package let undated: [MilestoneID: Occurrence]

    /// Reminders to be stored, or to be stored anew with another moment.
    package var toStore: [(key: ReminderKey, sendsAt: Instant)] {
        decisions.compactMap { decision in
            switch decision.outcome {
            case .plan(let moment, _), .move(_, let moment, _): (decision.key, moment)
            case .keep, .cancel, .begun, .used, .skip: nil
            }
        }
    }

    /// Stored reminders that are not wanted any more.
    package var toCancel: [ReminderKey] {
        decisions.compactMap { decision in
            if case .cancel = decision.outcome { decision.key } else { nil }
        }
    }

    /// What is stored once the plan is carried out.
    package func applied(to stored: [StoredReminder]) -> [StoredReminder] {
        var rows: [ReminderKey: StoredReminder] = [:]
        for row in stored { rows[row.key] = row }
        for (key, moment) in toStore { rows[key] = StoredReminder(key: key, sendsAt: moment, state: .waiting) }
        // Nobody had begun it, so it may be planned again when it is wanted again.
        for key in toCancel { rows[key] = nil }
        return rows.values.sorted { $0.key < $1.key }
    }
}
