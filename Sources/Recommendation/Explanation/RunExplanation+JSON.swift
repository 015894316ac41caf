package import JSONDocument
import KnotDomain
import StageGraph

extension RunExplanation {
    package static let schema = "knot.explanation/1"

    /// The explanation for programs, with what was asked about one candidate; fields are null, never left out.
    package func json(life: CandidateLife? = nil, change: SmallestChange? = nil) -> JSONValue {
        [
            "schema": .string(Self.schema), "outcome": .string(run.outcome.rawValue),
            "pipeline": ["name": .string(run.plan.name), "hash": .string(run.plan.identity)],
            "seed": .string(String(run.seed)), "failure": failure,
            "choices": .array(choices.map(\.json)), "runners_up": .array(runnersUp.map(\.json)),
            "removals": .array(
                removals.map {
                    [
                        "node": .string($0.node.text), "state": .string($0.state.rawValue),
                        "reason": .string($0.reason), "count": .integer($0.count),
                    ]
                }
            ),
            "relaxations": .array(
                relaxations.map { ["rule": .string($0.rule), "detail": .string($0.detail)] }
            ),
            "reasons": .array(
                run.report.reasons.map {
                    [
                        "code": .string($0.code), "node": JSONValue($0.node?.text), "detail": .string($0.detail),
                        "degrades": .bool($0.degrades),
                    ]
                }
            ),
            "candidate": life?.json ?? .null, "smallest_change": change?.json ?? .null,
        ]
    }

    private var failure: JSONValue {
        guard case .failure(let failure) = run.result else { return .null }
        return [
            "class": .string(failure.failureClass.rawValue), "code": .string(failure.code),
            "detail": .string(failure.detail),
        ]
    }
}

extension ScoreSummand {
    var json: JSONValue {
        [
            "name": .string(name), "value": JSONValue(value), "weight": JSONValue(weight), "part": .number(part),
            "silent": .bool(isSilent),
        ]
    }
}

extension EvidenceLine {
    /// Without the words' source where it could be private: a theme is what somebody's hints come to.
    var json: JSONValue {
        [
            "kind": .string(evidence.kind), "words": .string(words), "weight": .number(evidence.weight),
            "ref": evidence.kind == "theme" ? .null : .string(evidence.ref),
        ]
    }
}

extension ChoiceExplanation {
    var json: JSONValue {
        [
            "position": .integer(position), "candidate_id": .string(candidate.text), "title": .string(title),
            "rank": JSONValue(rank), "score": .number(score), "summands": .array(summands.map(\.json)),
            "evidence": .array(evidence.map(\.json)), "availability": .string(availability),
            "refilled_from": JSONValue(refilledFrom), "reason": JSONValue(reason),
        ]
    }
}

extension RunnerUp {
    fileprivate var json: JSONValue {
        [
            "candidate_id": .string(candidate.text), "title": .string(title), "rank": .integer(rank),
            "score": .number(score), "gap": .number(gap), "obstacle": obstacle.json,
        ]
    }
}

extension RunnerUp.Obstacle {
    fileprivate var json: JSONValue {
        let (kind, rule, beside, gap): (String, String?, [CandidateID], Double?) =
            switch self {
            case .rule(let rule, let beside): ("rule", rule, beside, nil)
            case .lowerValue(let gap, let beside): ("lower_value", nil, beside, gap)
            case .survivorsStay: ("survivors_stay", nil, [], nil)
            case .lost: ("lost", nil, [], nil)
            case .beyondSearch: ("beyond_search", nil, [], nil)
            case .passedOver: ("passed_over", nil, [], nil)
            }
        return [
            "kind": .string(kind), "rule": JSONValue(rule), "beside": JSONValue(beside.map(\.text)),
            "value_gap": JSONValue(gap), "words": .string(words),
        ]
    }
}
