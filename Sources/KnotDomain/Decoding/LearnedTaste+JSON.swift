package import JSONDocument

extension LearnedTaste {
    /// Reads learned weights and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader) {
        let before = reader.problems.list.count
        let asOf = reader.required("as_of")?.instant()
        let halfLife = reader.required("half_life_days")?.double()
        let signals = reader.required("signals")?.int(in: 0...Int(Int32.max))
        let weights = reader.required("weights")
        var known: [String: Double] = [:]
        for member in weights?.value.object?.members ?? [] {
            known[member.name] = weights?.optional(member.name)?.double(in: Self.bounds)
        }
        if let weights, weights.value.object == nil { weights.note("expected an object") }
        if let halfLife, !(halfLife > 0) { reader.note("must be above 0", at: "half_life_days") }
        guard reader.problems.list.count == before, let asOf, let halfLife, let signals else { return nil }
        self.init(weights: known, signalCount: signals, halfLifeDays: halfLife, asOf: asOf)
    }

    package var json: JSONValue {
        let members = weights.keys.sorted().compactMap { name in
            weights[name].map { JSONObject.Member(name: name, value: .number($0)) }
        }
        return [
            "as_of": .string(asOf.iso8601), "half_life_days": .number(halfLifeDays), "signals": .integer(signalCount),
            "weights": .object(JSONObject(members)),
        ]
    }
}
