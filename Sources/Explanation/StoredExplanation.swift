package import JSONDocument
package import KnotDomain
import StageGraph

/// Why a stored set came out as it did, from what was stored with it and from nothing else.
///
/// What else was in the running is not stored, so it is not told.
package struct StoredExplanation: Sendable {
    private let document: JSONValue
    private let choices: [ChoiceExplanation]

    /// Takes a `knot.choice/1` object; hints that are still there are told by their words.
    package init(_ document: JSONValue, hints: [Hint], zone: String) {
        self.document = document
        let rules = ZoneCache().rules(named: zone) ?? .utc
        choices = (document["choices"]?.array ?? []).map { Self.choice($0, hints, rules) }
    }

    package func shows(_ candidate: CandidateID) -> Bool { choices.contains { $0.candidate == candidate } }

    private static func choice(_ choice: JSONValue, _ hints: [Hint], _ zone: ZoneRules) -> ChoiceExplanation {
        let evidence = (choice["evidence"]?.array ?? []).map { item in
            let ref = item["ref"]?.string ?? ""
            return EvidenceLine(
                Evidence(kind: item["kind"]?.string ?? "", ref: ref, weight: item["weight"]?.double ?? 0),
                hint: EvidenceLine.hint(ref, among: hints, in: zone, showsHints: true),
                showsHints: true
            )
        }
        let parts = choice["contributions"]?.object?.members ?? []
        return ChoiceExplanation(
            position: choice["position"]?.int ?? 0,
            candidate: CandidateID(choice["candidate_id"]?.string ?? ""),
            title: choice["title"]?.string ?? "",
            rank: nil,
            score: choice["score"]?.double ?? 0,
            summands: parts.map {
                ScoreSummand(name: $0.name, value: nil, weight: nil, part: $0.value.double ?? 0, isSilent: false)
            },
            evidence: evidence,
            availability: choice["availability"]?.string ?? "unknown",
            refilledFrom: nil,
            reason: choice["reason"]?.string
        )
    }

    /// The same shape as the explanation of a run; what is not known is null or empty.
    package var json: JSONValue {
        [
            "schema": .string(RunExplanation.schema), "outcome": document["outcome"] ?? .null,
            "pipeline": document["pipeline"] ?? .null, "seed": document["seed"] ?? .null, "failure": .null,
            "choices": .array(choices.map(\.json)), "runners_up": [], "removals": [], "relaxations": [],
            "reasons": document["reasons"] ?? [], "candidate": .null, "smallest_change": .null,
        ]
    }

    package func lines() -> [String] {
        var column = TextColumn()
        let pipeline = document["pipeline"]?["name"]?.string ?? "?"
        let outcome = document["outcome"]?.string ?? "?"
        let seed = document["seed"]?.string ?? "0"
        let count = ["Nothing was chosen", "Why this one", "Why these two", "Why these three"][min(3, choices.count)]
        column.add("\(count), as stored (\(pipeline), seed \(seed), \(outcome))")
        for choice in choices { RunExplanation.add(choice, to: &column) }
        let reasons = document["reasons"]?.array ?? []
        if !reasons.isEmpty {
            column.blank()
            column.add("What was said of the run")
            for reason in reasons {
                let node = reason["node"]?.string.map { " at \($0)" } ?? ""
                column.add(
                    "\(reason["code"]?.string ?? "note")\(node): \(reason["detail"]?.string ?? "")",
                    indent: 2
                )
            }
        }
        return column.lines
    }
}
