package import JSONDocument

/// What feedback has taught of one vault, as of a moment.
package struct LearnedTaste: Hashable, Sendable {
    /// A weight that can be learned: half as much at the least, twice as much at the most.
    package static let bounds = 0.5...2.0

    /// By factor, such as `interest:Hiking`, `vibe:vintage` or `type:gift`; 1 where nothing is known.
    package let weights: [String: Double]
    package let signalCount: Int
    /// Days after which what was learned counts half.
    package let halfLifeDays: Double
    /// The moment the weights were reckoned at.
    package let asOf: Instant

    /// Weights out of bounds are brought to them.
    package init(weights: [String: Double], signalCount: Int, halfLifeDays: Double, asOf: Instant) {
        self.weights = weights.mapValues { min(Self.bounds.upperBound, max(Self.bounds.lowerBound, $0)) }
        self.signalCount = signalCount
        self.halfLifeDays = halfLifeDays
        self.asOf = asOf
    }
}

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
