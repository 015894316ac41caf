import Console
package import JSONDocument
package import KnotDomain
package import Recommendation
import StageGraph

/// What a changed pipeline changes about recorded runs: how many sets, where, and why.
package struct ImpactReport: Sendable {
    package let base: String
    package let changed: String
    /// In the order of the recordings.
    package let changes: [SetChange]

    package init(base: String, changed: String, changes: [SetChange]) {
        self.base = base
        self.changed = changed
        self.changes = changes
    }

    package func count(_ kind: SetChange.Kind) -> Int { changes.count { $0.kind == kind } }

    /// Runs of which one asked what their recording has no answer to.
    package var unansweredRuns: Int { changes.count { !$0.unanswered.isEmpty } }

    /// Cards that left or came without anybody knowing whether they could be had.
    package var uncheckedCards: Int { changes.flatMap { $0.left + $0.came }.count(where: \.isUnchecked) }

    /// Of the runs that came to a set under both, the share whose cards are others; nil where there is none.
    package var share: Double? {
        let compared = changes.count - count(.failed)
        return compared == 0 ? nil : Double(count(.changed)) / Double(compared)
    }

    /// How many sets changed of each kind of occasion, in the order of the kinds.
    package var byOccasion: [(occasion: OccasionTier, changed: Int, of: Int)] {
        OccasionTier.allCases.compactMap { tier in
            let own = changes.filter { $0.occasion == tier && $0.kind != .failed }
            return own.isEmpty ? nil : (tier, own.count { $0.kind == .changed }, own.count)
        }
    }

    /// How the runs ended that ended otherwise, the most frequent first.
    package var endings: [(base: Outcome, changed: Outcome, count: Int)] {
        var counts: [String: (base: Outcome, changed: Outcome, count: Int)] = [:]
        for change in changes where change.outcomes.base != change.outcomes.changed {
            let (old, new) = change.outcomes
            counts["\(old) \(new)", default: (old, new, 0)].count += 1
        }
        return counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map(\.value)
    }

    /// Why cards left or came, the most frequent first.
    package func causes(_ cards: (SetChange) -> [SetChange.Card]) -> [(cause: ChangeCause, count: Int)] {
        var counts: [ChangeCause: Int] = [:]
        for card in changes.flatMap(cards) { counts[card.cause.group, default: 0] += 1 }
        return counts.sorted { one, other in
            one.value == other.value
                ? one.key.words(hasLeft: true) < other.key.words(hasLeft: true)
                : one.value > other.value
        }.map { ($0.key, $0.value) }
    }
}

extension ChangeCause {
    /// What became of a card that left under the change, or had become of one that came before it.
    package func words(hasLeft: Bool) -> String {
        let place = node.map { " by \($0)" } ?? ""
        let why = detail.map { ": \($0)" } ?? ""
        return switch kind {
        case .notFound: "found by no source"
        case .dropped: "dropped\(place)\(why)"
        case .cut: "cut\(place)\(why)"
        case .merged: "taken for the twin of another\(place)"
        case .lost: "could not be had\(why)"
        case .scored where hasLeft: "scores less\(place)\(why)"
        case .scored: "scores more\(place)\(why)"
        case .outranked: hasLeft ? "others are better in a set" : "others were better in a set"
        }
    }
}

extension ImpactReport {
    /// `knot.impact/1`.
    package var json: JSONValue {
        func causes(_ cards: (SetChange) -> [SetChange.Card]) -> JSONValue {
            .array(
                self.causes(cards).map { cause, count in
                    [
                        "kind": .string(cause.kind.rawValue), "node": JSONValue(cause.node),
                        "detail": JSONValue(cause.detail), "cards": .integer(count),
                    ]
                }
            )
        }
        let occasions = byOccasion.map { row -> JSONValue in
            ["occasion": .string(row.occasion.rawValue), "changed": .integer(row.changed), "of": .integer(row.of)]
        }
        let endings = self.endings.map { row -> JSONValue in
            ["base": .string(row.base.rawValue), "changed": .string(row.changed.rawValue), "runs": .integer(row.count)]
        }
        return [
            "schema": "knot.impact/1", "base": .string(base), "changed": .string(changed),
            "recordings": .integer(changes.count), "same_sets": .integer(count(.same)),
            "reordered_sets": .integer(count(.reordered)), "changed_sets": .integer(count(.changed)),
            "failed": .integer(count(.failed)), "not_recorded_runs": .integer(unansweredRuns),
            "not_recorded_cards": .integer(uncheckedCards), "share_changed": JSONValue(share),
            "by_occasion": .array(occasions),
            "endings": .array(endings), "left": causes(\.left), "came": causes(\.came),
            "runs": .array(changes.map(\.json)),
        ]
    }
}

extension SetChange {
    fileprivate var json: JSONValue {
        [
            "recording": .string(recording), "occasion": JSONValue(occasion?.rawValue),
            "change": .string(kind.rawValue), "base_outcome": .string(outcomes.base.rawValue),
            "changed_outcome": .string(outcomes.changed.rawValue), "left": .array(left.map(\.json)),
            "came": .array(came.map(\.json)), "not_recorded": .array(unanswered.map { .string($0.text) }),
        ]
    }
}

extension SetChange.Card {
    fileprivate var json: JSONValue {
        [
            "candidate_id": .string(candidate.text), "title": .string(title), "provider": .string(provider.rawValue),
            "kind": .string(cause.kind.rawValue), "node": JSONValue(cause.node), "detail": JSONValue(cause.detail),
            "not_recorded": .bool(isUnchecked),
        ]
    }
}
