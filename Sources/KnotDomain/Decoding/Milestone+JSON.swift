package import JSONDocument

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
