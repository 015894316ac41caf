package import KnotDomain

/// Which reminder it is: of one milestone, for one of its days, so many days ahead.
///
/// The day is the occurrence's own, so that a reminder of a January day made in December is not next year's.
package struct ReminderKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let milestone: MilestoneID
    package let occurrence: CivilDate
    package let daysBefore: Int

    package init(milestone: MilestoneID, occurrence: CivilDate, daysBefore: Int) {
        self.milestone = milestone
        self.occurrence = occurrence
        self.daysBefore = daysBefore
    }

    /// The local day on which it is due.
    package var day: CivilDate { occurrence.adding(days: -daysBefore) }

    /// The request of the set that is made for it.
    package var description: String { "m:\(milestone):\(occurrence):\(daysBefore)" }

    /// By day, then by milestone, the earliest reminder first.
    package static func < (left: Self, right: Self) -> Bool {
        (left.occurrence, left.milestone, -left.daysBefore) < (right.occurrence, right.milestone, -right.daysBefore)
    }
}

/// A reminder that is stored already.
package struct StoredReminder: Hashable, Sendable {
    /// How far it has come.
    package enum State: Hashable, Sendable {
        /// Nobody has begun it: it may still be moved or cancelled.
        case waiting
        /// It is in work, or was tried and is tried again: no plan touches it any more, and it is still to be sent.
        case begun
        /// Sent, failed or ended by somebody: its key is used up, whatever happens later.
        case used
    }

    package let key: ReminderKey
    package let sendsAt: Instant
    package let state: State

    package init(key: ReminderKey, sendsAt: Instant, state: State) {
        self.key = key
        self.sendsAt = sendsAt
        self.state = state
    }
}

/// How reminders are planned, the same for everybody.
package struct ReminderPolicy: Hashable, Sendable {
    /// How many days ahead, descending, each above zero.
    package let daysBefore: [Int]
    package let window: SendWindow
    package let leapDay: LeapDayPolicy
    /// A late reminder is left out when the next one comes within so many days anyway.
    package let restDays: Int
    /// How many days ahead reminders are planned.
    package let horizonDays: Int

    package init(
        daysBefore: [Int] = [14, 7, 3],
        window: SendWindow = .daytime,
        leapDay: LeapDayPolicy = .february28,
        restDays: Int = 2,
        horizonDays: Int = 45
    ) {
        precondition(daysBefore.allSatisfy { $0 > 0 }, "a reminder comes at least a day ahead")
        self.daysBefore = Set(daysBefore).sorted(by: >)
        self.window = window
        self.leapDay = leapDay
        self.restDays = restDays
        self.horizonDays = horizonDays
    }
}

/// Whom a plan is for: one vault with its milestones, and when its person wants to hear of them.
package struct ReminderSubject: Hashable, Sendable {
    package let vault: VaultID
    package let milestones: [Milestone]
    /// ISO 3166 alpha-2; nil when it is not known.
    package let country: String?
    package let zone: ReminderZone
    package let quiet: QuietHours
    /// Whether the person wants any reminder.
    package let isEnabled: Bool

    package init(
        vault: VaultID,
        milestones: [Milestone],
        country: String?,
        zone: ReminderZone,
        quiet: QuietHours = .standard,
        isEnabled: Bool = true
    ) {
        self.vault = vault
        self.milestones = milestones
        self.country = country
        self.zone = zone
        self.quiet = quiet
        self.isEnabled = isEnabled
    }

    /// What a vault says by itself; the rest as the database has it where nothing was said.
    package init(_ vault: Vault, zones: any ZoneSource, quiet: QuietHours = .standard, isEnabled: Bool = true) {
        self.init(
            vault: vault.id,
            milestones: vault.milestones,
            country: vault.location?.country,
            zone: ReminderZone(named: vault.timeZone, in: zones),
            quiet: quiet,
            isEnabled: isEnabled
        )
    }
}
