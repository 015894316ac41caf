package import KnotDomain

/// What becomes of a reminder at the moment when somebody is about to make or send it.
///
/// A plan may be old by then: the person may have moved, or a queue may have stood still. So the window is looked at again.
package enum SendDecision: Hashable, Sendable {
    case send
    /// It is the wrong hour: at that moment it is not.
    case wait(until: Instant)
    /// It is of no use any more.
    case expire(ReminderDecision.Reason)

    /// Decides by the clock of the person's zone; what has to wait gets a moment of its own.
    package init(
        for key: ReminderKey,
        of vault: VaultID,
        plannedFor planned: Instant,
        at now: Instant,
        in allowed: AllowedTime,
        isEnabled: Bool = true
    ) {
        guard isEnabled else {
            self = .expire(.remindersOff)
            return
        }
        guard allowed.zone.localDate(at: now) < key.occurrence else {
            self = .expire(.dayHasCome)
            return
        }
        // A person who moved east may be due before their day has begun, and where that day is missing, before the next.
        let earliest = (0...3).lazy.compactMap { allowed.spans(on: key.day.adding(days: $0)).first?.lowerBound }.first
        let start = earliest.map { max(now, Instant(millisecondsSinceEpoch: Int64($0) * 1_000)) }
        guard let next = allowed.next(onOrAfter: start ?? now) else {
            self = .expire(.neverAllowed)
            return
        }
        if next == now {
            self = .send
        } else if allowed.zone.localDate(at: next) < key.occurrence {
            self = .wait(until: Self.moment(from: next, of: vault, planned, key, allowed))
        } else {
            self = .expire(.dayHasCome)
        }
    }

    /// The moment that it was planned for, where that is still to come; else the vault's own of the day on which the wait
    /// ends: all who wait for the same window would come at its opening.
    private static func moment(
        from first: Instant,
        of vault: VaultID,
        _ planned: Instant,
        _ key: ReminderKey,
        _ allowed: AllowedTime
    ) -> Instant {
        if planned > first, allowed.contains(planned), allowed.zone.localDate(at: planned) < key.occurrence {
            return planned
        }
        return allowed.slot(of: vault, on: allowed.zone.localDate(at: first), notBefore: first) ?? first
    }
}
