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

extension ReminderKey {
    /// The reminder that a notification of the app's is for, which bears no day: it goes out from so many days before it
    /// on, a day earlier or later on another clock; nil where the milestone has no such day.
    package init?(
        of milestone: Milestone,
        daysBefore: Int,
        scheduledFor moment: Instant,
        country: String?,
        leapDay: LeapDayPolicy = .february28
    ) {
        let day = ZoneRules.utc.localDate(at: moment)
        let found = MilestoneCalendar.occurrence(
            of: milestone,
            onOrAfter: day.adding(days: -1),
            country: country,
            leapDay: leapDay
        )
        guard let date = found.date, day >= date.adding(days: -daysBefore - 1) else { return nil }
        self.init(milestone: milestone.id, occurrence: date, daysBefore: daysBefore)
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
        /// It has come to an end, or is sure to: its key is used up, whatever happens later.
        case used(Ending)
    }

    /// How it came to its end.
    package enum Ending: Hashable, Sendable {
        /// Its person was told, by whomever.
        case sent
        /// It was tried and put aside for good.
        case failed
        /// Its person or an operator has called it off.
        case calledOff
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

extension ReminderSubject {
    /// The order in which the person is told of days that come together, and sets are made for them: the nearest first, and
    /// of those on one day what matters most.
    package func inOrder<Item>(_ items: [Item], by key: (Item) -> ReminderKey) -> [Item] {
        let major = Set(milestones.lazy.filter { $0.tier == .majorMilestone }.map(\.id))
        func rank(_ key: ReminderKey) -> (CivilDate, Int, ReminderKey) {
            (key.occurrence, major.contains(key.milestone) ? 0 : 1, key)
        }
        return items.sorted { rank(key($0)) < rank(key($1)) }
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
    /// How many reminders a person is told of on one day.
    package let mostOnADay: Int

    package init(
        daysBefore: [Int] = [14, 7, 3],
        window: SendWindow = .daytime,
        leapDay: LeapDayPolicy = .february28,
        restDays: Int = 2,
        horizonDays: Int = 45,
        mostOnADay: Int = 12
    ) {
        precondition(daysBefore.allSatisfy { $0 > 0 }, "a reminder comes at least a day ahead")
        self.daysBefore = Set(daysBefore).sorted(by: >)
        self.window = window
        self.leapDay = leapDay
        self.restDays = restDays
        self.horizonDays = horizonDays
        self.mostOnADay = mostOnADay
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
