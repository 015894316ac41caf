package import JSONDocument

extension VaultReading {
    /// Reads `knot.reading/1` against the hints there are, and notes every problem; nil when there was one.
    package init?(reading reader: JSONReader, knownHints: Set<HintID>) {
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
