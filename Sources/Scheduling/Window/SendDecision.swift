package import KnotDomain

/// What becomes of a reminder at the moment when somebody is about to make or send it.
///
/// A plan may be old by then: the person may have moved, or a queue may have stood still. So the window is looked at again.
package enum SendDecision: Hashable, Sendable {
    case send
    /// It is the wrong hour: not before that moment.
    case wait(until: Instant)
    /// It is of no use any more.
    case expire(ReminderDecision.Reason)

    /// Decides by the clock of the person's zone.
    package init(for key: ReminderKey, at now: Instant, in allowed: AllowedTime, isEnabled: Bool = true) {
        guard isEnabled else {
            self = .expire(.remindersOff)
            return
        }
        guard allowed.zone.localDate(at: now) < key.occurrence else {
            self = .expire(.dayHasCome)
            return
        }
        // A person who moved east may be due before their day has begun.
        let earliest = allowed.spans(on: key.day).first.map {
            Instant(millisecondsSinceEpoch: Int64($0.lowerBound) * 1_000)
        }
        guard let next = allowed.next(onOrAfter: max(now, earliest ?? now)) else {
            self = .expire(.neverAllowed)
            return
        }
        if next == now {
            self = .send
        } else if allowed.zone.localDate(at: next) < key.occurrence {
            self = .wait(until: next)
        } else {
            self = .expire(.dayHasCome)
        }
    }
}
