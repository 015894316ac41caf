package import JSONDocument

extension HintReading {
    /// Reads one hint's reading against the hints there are, and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader, knownHints: Set<HintID>) {
        let before = reader.problems.list.count
        let hintID = reader.required("hint_id").flatMap { Self.hintID(reading: $0, knownHints: knownHints) }
        let subject = reader.required("about")?.choice(Subject.self)
        let stance = reader.required("stance")?.choice(Stance.self)
        let strength = reader.required("strength")?.double(in: 0...1)
        let serves = reader.optional("serves")?.phrases() ?? []
        let avoid = reader.optional("avoid")?.phrases() ?? []
        let overrules =
            reader.optional("overrules")?.items().compactMap { Self.hintID(reading: $0, knownHints: knownHints) } ?? []
        let limits = reader.optional("limits")?.phrases() ?? []
        guard reader.problems.list.count == before, let hintID, let subject, let stance, let strength
        else { return nil }
        self.init(
            hintID: hintID,
            subject: subject,
            stance: stance,
            strength: strength,
            serves: serves,
            avoid: avoid,
            overrules: overrules,
            limits: limits
        )
    }

    private static func hintID(reading reader: JSONReader, knownHints: Set<HintID>) -> HintID? {
        guard let text = reader.string() else { return nil }
        guard knownHints.contains(HintID(text)) else {
            reader.note("\"\(text.prefix(60))\" is not a hint of this vault")
            return nil
        }
        return HintID(text)
    }

    package var json: JSONValue {
        [
            "hint_id": .string(hintID.text), "about": .string(subject.rawValue), "stance": .string(stance.rawValue),
            "strength": .number(strength), "serves": JSONValue(serves), "avoid": JSONValue(avoid),
            "overrules": JSONValue(overrules.map(\.text)), "limits": JSONValue(limits),
        ]
    }
}
