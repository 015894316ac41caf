package import Console
package import JSONDocument

/// Two stored sets held against each other: what they were made from, and which cards stayed, went and came.
package struct SetDifference: Sendable {
    /// One of the two.
    package struct Side: Sendable {
        package let run: String
        /// When it was stored, for people.
        package let moment: String
        /// What a list shows of it.
        package let summary: JSONValue
        /// The whole result, as it was stored.
        package let result: JSONValue

        package init(run: String, moment: String, summary: JSONValue, result: JSONValue) {
            self.run = run
            self.moment = moment
            self.summary = summary
            self.result = result
        }
    }

    private let first: Side
    private let second: Side
    /// Cards of both sets.
    private let kept: [(old: JSONValue, new: JSONValue)]
    private let gone: [JSONValue]
    private let new: [JSONValue]

    package init(_ first: Side, _ second: Side) {
        self.first = first
        self.second = second
        let (old, now) = (first.result["choices"]?.array ?? [], second.result["choices"]?.array ?? [])
        kept = old.compactMap { choice in now.first { Self.isSame(choice, $0) }.map { (choice, $0) } }
        gone = old.filter { choice in !now.contains { Self.isSame(choice, $0) } }
        new = now.filter { choice in !old.contains { Self.isSame($0, choice) } }
    }

    /// The same offer; in another vault the same one has another id and the same address.
    private static func isSame(_ one: JSONValue, _ other: JSONValue) -> Bool {
        if let url = one["url"]?.string, !url.isEmpty, url == other["url"]?.string { return true }
        return one["candidate_id"] == other["candidate_id"] && one["title"] == other["title"]
    }

    /// What the two were made from, by name, where it is not the same.
    private var facts: [(name: String, old: String, new: String)] {
        func text(_ value: JSONValue?) -> String {
            value.map { $0.string ?? JSONWriter.text($0) } ?? "none"
        }
        let names = [
            "vault_id", "outcome", "occasion", "milestone_id", "occurrence", "as_of", "seed", "readings", "rates",
            "budget",
        ]
        var rows = names.map { (name: $0, old: text(first.result[$0]), new: text(second.result[$0])) }
        rows.append(("pipeline", pipeline(first.result), pipeline(second.result)))
        rows.append(("reasons", reasons(first.result), reasons(second.result)))
        return rows.filter { $0.old != $0.new }
    }

    private func pipeline(_ result: JSONValue) -> String {
        "\(result["pipeline"]?["name"]?.string ?? "?") (\((result["pipeline"]?["hash"]?.string ?? "?").prefix(12)))"
    }

    private func reasons(_ result: JSONValue) -> String {
        let codes = (result["reasons"]?.array ?? []).compactMap { $0["code"]?.string }
        return codes.isEmpty ? "none" : codes.joined(separator: ", ")
    }

    /// The parts of a score that are not what they were, the largest change first.
    private static func moved(_ old: JSONValue, _ new: JSONValue) -> [(name: String, old: Double, new: Double)] {
        let (before, after) = (old["contributions"]?.object?.members ?? [], new["contributions"]?.object?.members ?? [])
        var names = before.map(\.name)
        names += after.map(\.name).filter { !names.contains($0) }
        let parts = names.map { name in
            (
                name: name, old: old["contributions"]?[name]?.double ?? 0,
                new: new["contributions"]?[name]?.double ?? 0
            )
        }
        return parts.filter { abs($0.new - $0.old) >= 0.005 }.sorted { left, right in
            let (one, other) = (abs(left.new - left.old), abs(right.new - right.old))
            return one != other ? one > other : left.name < right.name
        }
    }

    /// `knot.history.difference/1`.
    package var json: JSONValue {
        [
            "schema": "knot.history.difference/1", "old": first.summary, "new": second.summary,
            "facts": .array(
                facts.map { ["name": .string($0.name), "old": .string($0.old), "new": .string($0.new)] }
            ),
            "kept": .array(
                kept.map { pair in
                    [
                        "candidate_id": pair.new["candidate_id"] ?? .null, "title": pair.new["title"] ?? .null,
                        "old_position": pair.old["position"] ?? .null, "new_position": pair.new["position"] ?? .null,
                        "old_score": pair.old["score"] ?? .null, "new_score": pair.new["score"] ?? .null,
                        "moved": .array(
                            Self.moved(pair.old, pair.new).map {
                                ["name": .string($0.name), "old": .number($0.old), "new": .number($0.new)]
                            }
                        ),
                    ]
                }
            ),
            "gone": .array(gone), "came": .array(new),
        ]
    }

    /// For people.
    package func lines(width: Int) -> [String] {
        var lines = [
            "from run \(first.run), \(first.moment)",
            "to   run \(second.run), \(second.moment)",
        ]
        for fact in facts {
            lines += indented("\(CardView.words(fact.name)): \(fact.old) \u{2192} \(fact.new)", by: 2, width)
        }
        if kept.isEmpty, gone.isEmpty, new.isEmpty { lines.append("both are empty") }
        for pair in kept {
            let (old, now) = (place(pair.old), place(pair.new))
            lines += indented("= \(old == now ? now : "\(old) \u{2192} \(now)") \(title(pair.new))", by: 0, width)
            let scores = (score(pair.old), score(pair.new))
            let moved = Self.moved(pair.old, pair.new).prefix(4).map {
                "\(CardView.words($0.name)) \(DecimalText.hundredths($0.old)) \u{2192} \(DecimalText.hundredths($0.new))"
            }
            let change = scores.0 == scores.1 ? "score \(scores.0)" : "score \(scores.0) \u{2192} \(scores.1)"
            lines += indented(([change] + moved).joined(separator: ", "), by: 4, width)
        }
        for choice in gone {
            lines += indented("- \(place(choice)) \(title(choice)), score \(score(choice))", by: 0, width)
        }
        for choice in new {
            lines += indented("+ \(place(choice)) \(title(choice)), score \(score(choice))", by: 0, width)
        }
        return lines
    }

    /// A row for each card of either.
    package var table: CSVTable {
        var table = CSVTable([
            "change", "candidate_id", "title", "old_position", "new_position", "old_score", "new_score",
        ])
        func row(_ change: String, _ old: JSONValue?, _ new: JSONValue?) {
            let shown = new ?? old
            table.add([
                .text(change), .text(shown?["candidate_id"]?.string), .text(shown?["title"]?.string),
                .whole(old?["position"]?.int), .whole(new?["position"]?.int), .number(old?["score"]?.double),
                .number(new?["score"]?.double),
            ])
        }
        for pair in kept { row("kept", pair.old, pair.new) }
        for choice in gone { row("gone", choice, nil) }
        for choice in new { row("came", nil, choice) }
        return table
    }

    private func place(_ choice: JSONValue) -> String { choice["position"]?.int.map { "\($0)." } ?? "?" }
    private func score(_ choice: JSONValue) -> String { choice["score"]?.double.map(DecimalText.hundredths) ?? "?" }

    private func title(_ choice: JSONValue) -> String { TerminalText.safe(choice["title"]?.string ?? "?", limit: 300) }

    private func indented(_ text: String, by indent: Int, _ width: Int) -> [String] {
        TextLayout.wrapped(TerminalText.safe(text, limit: 1_200), to: width - indent - 2).enumerated().map {
            String(repeating: " ", count: $0 == 0 ? indent : indent + 2) + $1
        }
    }
}
