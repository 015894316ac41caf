/// A day that matters: yearly ones are stored with the placeholder year 2000, which is never used for arithmetic.
package struct Milestone: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case birthday
        case anniversary
        case holiday
        case custom
    }

    package enum Recurrence: String, CaseIterable, Sendable {
        case yearly
        case oneTime = "one_time"
    }

    package let id: MilestoneID
    package let kind: Kind
    package let name: String
    package let date: CivilDate
    package let recurrence: Recurrence
    package let tier: OccasionTier

    package init(
        id: MilestoneID,
        kind: Kind,
        name: String,
        date: CivilDate,
        recurrence: Recurrence,
        tier: OccasionTier
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.date = date
        self.recurrence = recurrence
        self.tier = tier
    }
}
