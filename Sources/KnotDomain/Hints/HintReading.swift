package import JSONDocument

/// What one hint means for choosing a gift, worked out once when it was captured.
package struct HintReading: Hashable, Sendable {
    package enum Subject: String, CaseIterable, Sendable {
        case partner
        case couple
        case user
        case other
    }

    package enum Stance: String, CaseIterable, Sendable {
        case wants
        case needs
        case likes
        case avoids
        case fact
    }

    package let hintID: HintID
    package let subject: Subject
    package let stance: Stance
    /// How strongly it should steer a gift now, 0 to 1; an overruled wish or somebody else's has 0.
    package let strength: Double
    /// Short catalogue phrases of what would serve it.
    package let serves: [String]
    /// Phrases of what it rules out.
    package let avoid: [String]
    package let overrules: [HintID]
    /// Time, place, body, diet, space.
    package let limits: [String]

    package init(
        hintID: HintID,
        subject: Subject,
        stance: Stance,
        strength: Double,
        serves: [String],
        avoid: [String],
        overrules: [HintID],
        limits: [String]
    ) {
        self.hintID = hintID
        self.subject = subject
        self.stance = stance
        self.strength = strength
        self.serves = serves
        self.avoid = avoid
        self.overrules = overrules
        self.limits = limits
    }
}

/// The readings of a vault's hints, and what the vault as a whole asks for and rules out.
package struct VaultReading: Hashable, Sendable {
    package let hints: [HintReading]
    package let avoid: [String]
    package let serves: [String]
    /// How many phrases were left out because a list holds no more; whoever uses the reading says so.
    package let leftOut: Int

    package init(hints: [HintReading], avoid: [String], serves: [String], leftOut: Int = 0) {
        self.hints = hints
        self.avoid = avoid
        self.serves = serves
        self.leftOut = leftOut
    }
}

extension HintReading {
    /// Reads one hint's reading against the hints there are, nil where nobody knows them, and notes every problem; nil when
    /// there was one.
    package init?(reading reader: JSONReader, knownHints: Set<HintID>?) {
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

    private static func hintID(reading reader: JSONReader, knownHints: Set<HintID>?) -> HintID? {
        guard let text = reader.string() else { return nil }
        guard knownHints?.contains(HintID(text)) ?? true else {
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

extension VaultReading {
    /// Reads `knot.reading/1` against the hints there are, and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader, knownHints: Set<HintID>?) {
        let before = reader.problems.list.count
        reader.expectSchema("knot.reading/1")
        var seen: Set<HintID> = []
        var hints: [HintReading] = []
        for item in reader.required("hints")?.items() ?? [] {
            // A doubled id is a problem of its own, even where the rest of the item is broken.
            if let id = item.value["hint_id"]?.string, !seen.insert(HintID(id)).inserted {
                item.note("\"\(id.prefix(60))\" is read twice", at: "hint_id")
            }
            if let hint = HintReading(reading: item, knownHints: knownHints) { hints.append(hint) }
        }
        let avoid = reader.optional("vault_avoid")?.phrases() ?? []
        let serves = reader.optional("vault_serves")?.phrases() ?? []
        let leftOut = reader.optional("left_out").map { $0.int(in: 0...Int.max) ?? 0 } ?? 0
        guard reader.problems.list.count == before else { return nil }
        self.init(hints: hints, avoid: avoid, serves: serves, leftOut: leftOut)
    }

    /// As `knot.reading/1`; what was left out only where something was.
    package var json: JSONValue {
        let read: JSONValue = [
            "schema": "knot.reading/1", "hints": .array(hints.map(\.json)), "vault_avoid": JSONValue(avoid),
            "vault_serves": JSONValue(serves),
        ]
        guard leftOut > 0, var longer = read.object else { return read }
        longer["left_out"] = .integer(leftOut)
        return .object(longer)
    }
}
