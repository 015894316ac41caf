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

    /// A card as it is shown, and as it was stored.
    private struct Card {
        let shown: ShownChoice
        let stored: JSONValue

        static func all(of side: Side) -> [Card] {
            (side.result["choices"]?.array ?? []).map { Card(shown: ShownChoice($0), stored: $0) }
        }

        func isSame(as other: Card) -> Bool { shown.isSame(as: other.shown) }

        var place: String { shown.position.map { "\($0)." } ?? "?" }
        var title: String { TerminalText.safe(shown.title ?? "?", limit: 300) }
        var score: String { shown.score.map(DecimalText.hundredths) ?? "?" }
    }

    private let first: Side
    private let second: Side
    /// Cards of both sets.
    private let kept: [(old: Card, new: Card)]
    private let gone: [Card]
    private let new: [Card]

    package init(_ first: Side, _ second: Side) {
        self.first = first
        self.second = second
        let (old, now) = (Card.all(of: first), Card.all(of: second))
        kept = old.compactMap { card in now.first(where: card.isSame).map { (card, $0) } }
        gone = old.filter { !now.contains(where: $0.isSame) }
        new = now.filter { !old.contains(where: $0.isSame) }
    }

    /// What the two were made from, by name, where it is not the same.
    private var facts: [(name: String, old: String, new: String)] {
        func text(_ value: JSONValue?) -> String {
            value.map(ShownSet.text) ?? "none"
        }
        let names = [
            "vault_id", "outcome", "occasion", "milestone_id", "occurrence", "as_of", "seed", "readings", "rates",
            "budget",
        ]
        var rows = names.map { (name: $0, old: text(first.result[$0]), new: text(second.result[$0])) }
        let (old, now) = (ShownSet(first.result), ShownSet(second.result))
        rows.append(("pipeline", pipeline(old), pipeline(now)))
        rows.append(("reasons", reasons(old), reasons(now)))
        return rows.filter { $0.old != $0.new }
    }

    private func pipeline(_ set: ShownSet) -> String {
        "\(set.pipelineName ?? "?") (\((set.pipelineHash ?? "?").prefix(12)))"
    }

    private func reasons(_ set: ShownSet) -> String {
        let codes = set.reasons.compactMap(\.code)
        return codes.isEmpty ? "none" : codes.joined(separator: ", ")
    }

    /// The parts of a score that are not what they were, the largest change first.
    private static func moved(_ old: Card, _ new: Card) -> [(name: String, old: Double, new: Double)] {
        var names = old.shown.contributions.map(\.name)
        names += new.shown.contributions.map(\.name).filter { !names.contains($0) }
        let parts = names.map { name in
            (name: name, old: old.shown.contribution(of: name), new: new.shown.contribution(of: name))
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
                    let (old, new) = (pair.old.shown, pair.new.shown)
                    return [
                        "candidate_id": JSONValue(new.candidateID), "title": JSONValue(new.title),
                        "old_position": JSONValue(old.position), "new_position": JSONValue(new.position),
                        "old_score": JSONValue(old.score), "new_score": JSONValue(new.score),
                        "moved": .array(
                            Self.moved(pair.old, pair.new).map {
                                ["name": .string($0.name), "old": .number($0.old), "new": .number($0.new)]
                            }
                        ),
                    ]
                }
            ),
            "gone": .array(gone.map(\.stored)), "came": .array(new.map(\.stored)),
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
            let (old, now) = (pair.old.place, pair.new.place)
            lines += indented("= \(old == now ? now : "\(old) \u{2192} \(now)") \(pair.new.title)", by: 0, width)
            let scores = (pair.old.score, pair.new.score)
            let moved = Self.moved(pair.old, pair.new).prefix(4).map {
                "\(CardView.words($0.name)) \(DecimalText.hundredths($0.old)) \u{2192} \(DecimalText.hundredths($0.new))"
            }
            let change = scores.0 == scores.1 ? "score \(scores.0)" : "score \(scores.0) \u{2192} \(scores.1)"
            lines += indented(([change] + moved).joined(separator: ", "), by: 4, width)
        }
        for (sign, cards) in [("-", gone), ("+", new)] {
            for card in cards {
                lines += indented("\(sign) \(card.place) \(card.title), score \(card.score)", by: 0, width)
            }
        }
        return lines
    }

    /// A row for each card of either.
    package var table: CSVTable {
        var table = CSVTable([
            "change", "candidate_id", "title", "old_position", "new_position", "old_score", "new_score",
        ])
        func row(_ change: String, _ old: Card?, _ new: Card?) {
            let (old, new) = (old?.shown, new?.shown)
            let shown = new ?? old
            table.add([
                .text(change), .text(shown?.candidateID), .text(shown?.title), .whole(old?.position),
                .whole(new?.position), .number(old?.score), .number(new?.score),
            ])
        }
        for pair in kept { row("kept", pair.old, pair.new) }
        for card in gone { row("gone", card, nil) }
        for card in new { row("came", nil, card) }
        return table
    }

    private func indented(_ text: String, by indent: Int, _ width: Int) -> [String] {
        TextLayout.wrapped(TerminalText.safe(text, limit: 1_200), to: width - indent - 2).enumerated().map {
            String(repeating: " ", count: $0 == 0 ? indent : indent + 2) + $1
        }
    }
}
