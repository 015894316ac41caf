import KnotDomain
import Recommendation
package import StageGraph

/// One summand of a score: what a scorer said, what its opinion weighs, and what that adds.
package struct ScoreSummand: Sendable, Equatable {
    package let name: String
    /// The scorer's own value; nil when it had no opinion or when no scorer has this name.
    package let value: Double?
    /// Nil where the combiner does not multiply a value by a weight.
    package let weight: Double?
    /// What it adds to the score.
    package let part: Double
    /// True for a scorer that had no opinion; what it then counts as is the combiner's business.
    package let isSilent: Bool
}

extension ScoreSummand {
    /// The summands of one total in its order, each with its scorer's value where that explains the part.
    static func all(of total: Total, item: ItemID, weights: [String: Double], columns: [NodeID: ScoreColumn]) -> [Self]
    {
        total.parts.map { part in
            ScoreSummand(
                name: part.name,
                value: columns[NodeID(part.name)]?[item]?.value,
                weight: weights[part.name],
                part: part.value,
                isSilent: columns[NodeID(part.name)].map { $0[item] == nil } ?? false
            )
        }
    }

    /// The weights a combiner used, read off the ranking itself: only where part and value have the same ratio for all.
    static func weights(in ranking: Ranking<Offer>, columns: [NodeID: ScoreColumn]) -> [String: Double] {
        var weights: [String: Double] = [:]
        var crooked: Set<String> = []
        for entry in ranking.entries {
            for part in entry.total.parts {
                guard let value = columns[NodeID(part.name)]?[entry.item.itemID]?.value, value.isFinite else {
                    continue
                }
                guard abs(value) > 1e-6 else {
                    // Zero times any weight is zero; anything else means that it is no product.
                    if abs(part.value) > 1e-9 { crooked.insert(part.name) }
                    continue
                }
                let ratio = part.value / value
                if let known = weights[part.name], abs(known - ratio) > 1e-6 * max(1, abs(known)) {
                    crooked.insert(part.name)
                } else {
                    weights[part.name] = weights[part.name] ?? ratio
                }
            }
        }
        return weights.filter { !crooked.contains($0.key) }
    }
}

/// One piece of evidence in words, without what a hint says unless that was asked for.
package struct EvidenceLine: Sendable, Equatable {
    package let evidence: Evidence
    package let words: String

    /// The words hold the text of a hint only where hints may be shown.
    init(_ evidence: Evidence, _ brief: Brief?, showsHints: Bool) {
        self.init(evidence, hint: Self.hint(evidence.ref, brief, showsHints: showsHints), showsHints: showsHints)
    }

    /// With what is to be said of a hint it may name.
    init(_ evidence: Evidence, hint: String, showsHints: Bool) {
        self.evidence = evidence
        words = Self.words(evidence, hint: hint, showsHints: showsHints)
    }

    private static func words(_ evidence: Evidence, hint: String, showsHints: Bool) -> String {
        switch evidence.kind {
        case "hint": hint
        case "theme": showsHints ? "what the vault asks for: \(evidence.ref)" : "what the vault as a whole asks for"
        case "interest": "interest \(evidence.ref)"
        case "vibe": "vibe \(spaced(evidence.ref))"
        case "love_language": "love language \(spaced(evidence.ref))"
        case "budget": budget(evidence.ref)
        case "place": place(evidence.ref)
        case "event": "takes place \(evidence.ref)"
        case "delivery": "arrives with \(evidence.ref)"
        case "occasion": "made for the occasion: \(evidence.ref)"
        case "learned": learned(evidence.ref)
        default: "\(spaced(evidence.kind)) \(evidence.ref)"
        }
    }

    private static func budget(_ ref: String) -> String {
        switch ref {
        case "unknown": "no price known"
        case "rate_missing": "a price in a currency without a rate"
        case "outside": "outside the budget"
        default: "inside the budget"
        }
    }

    private static func place(_ ref: String) -> String {
        switch ref {
        case "near": "in a neighbouring town"
        case "unmapped": "in a town whose distance nobody knows"
        default: "where they are"
        }
    }

    /// A type, or the factor that a weight was learned for.
    private static func learned(_ ref: String) -> String {
        let parts = ref.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0] != "type" else {
            return "feedback on things of the type \(parts.last ?? ref)"
        }
        return "feedback on the \(spaced(parts[0])) \(spaced(parts[1]))"
    }

    /// A hint by its id and day; its text only where somebody asked to see it.
    static func hint(_ id: String, _ brief: Brief?, showsHints: Bool) -> String {
        guard let brief else { return "hint \(id)" }
        return hint(id, among: brief.vault.hints, in: brief.zone, showsHints: showsHints)
    }

    static func hint(_ id: String, among hints: [Hint], in zone: ZoneRules, showsHints: Bool) -> String {
        guard let hint = hints.first(where: { $0.id.text == id }) else { return "hint \(id)" }
        let day = zone.localDate(at: hint.createdAt)
        let text = TextColumn.cut(hint.text.split(separator: " ").joined(separator: " "), to: longestHint)
        return "hint \(id) of \(day)" + (showsHints ? ": \"\(text)\"" : "")
    }

    /// Columns of a hint's words that tell which one it is.
    private static let longestHint = 200

    private static func spaced(_ name: String) -> String {
        name.split(separator: "_").joined(separator: " ")
    }
}
