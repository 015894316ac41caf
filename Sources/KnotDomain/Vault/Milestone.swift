package import JSONDocument

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

extension Milestone {
    /// Reads one milestone and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let id = reader.required("id")?.uuid(Milestone.self)
        let kind = reader.required("type")?.choice(Kind.self)
        let name = reader.required("name")?.text(limit: TextLimit.name)
        let date = reader.required("date")?.civilDate()
        let recurrence = reader.required("recurrence")?.choice(Recurrence.self)
        let tier = reader.required("budget_tier")?.choice(OccasionTier.self)
        guard let id, let kind, let name, let date, let recurrence, let tier else { return nil }
        self.init(id: id, kind: kind, name: name, date: date, recurrence: recurrence, tier: tier)
    }

    package var json: JSONValue {
        [
            "id": .string(id.text), "type": .string(kind.rawValue), "name": .string(name),
            "date": .string(date.description), "recurrence": .string(recurrence.rawValue),
            "budget_tier": .string(tier.rawValue),
        ]
    }
}
