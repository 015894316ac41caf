package import JSONDocument
import KnotDomain
import Recommendation
import StageGraph

extension RunExplanation {
    package static let schema = "knot.explanation/1"

    /// The explanation for programs, with what was asked about one candidate; fields are null, never left out.
    package func json(life: CandidateTimeline? = nil, change: SmallestChange? = nil) -> JSONValue {
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

extension CandidateTimeline {
    var json: JSONValue {
        [
            "candidate_id": .string(candidate.text), "title": JSONValue(title), "state": .string(state.rawValue),
            "node": JSONValue(node?.text), "life": .array(steps.map(\.json)),
        ]
    }
}

extension TimelineStep {
    fileprivate var json: JSONValue {
        var members: [JSONObject.Member] = [
            .init(name: "node", value: .string(node.text)), .init(name: "event", value: .string(event.name)),
            .init(name: "words", value: .string(event.words)),
        ]
        for (name, value) in event.members { members.append(.init(name: name, value: value)) }
        return .object(JSONObject(members))
    }
}

extension TimelineStep.Event {
    /// The trace's name for it where it has one.
    fileprivate var name: String {
        switch self {
        case .retrieved: "retrieved"
        case .duplicated: "duplicate_id"
        case .absorbed: "absorbed"
        case .mergedInto: "merged"
        case .cut: "cut"
        case .kept: "kept"
        case .flagged: "flagged"
        case .dropped: "dropped"
        case .scored: "scored"
        case .unscored: "unscored"
        case .nonFinite: "non_finite"
        case .totalled: "totalled"
        case .selected: "selected"
        case .reserved: "reserved"
        case .notSelected: "not_selected"
        case .chosen: "chosen"
        case .lost: "lost"
        case .unused: "unused"
        case .noted: "stage"
        }
    }

    fileprivate var members: [(String, JSONValue)] {
        switch self {
        case .cut(let reason, let evidence), .dropped(let reason, let evidence), .lost(let reason, let evidence):
            [("reason", .string(reason)), ("evidence", .string(evidence))]
        case .absorbed(let item, let why), .mergedInto(let item, let why):
            [("other", .string(item.text)), ("why", .string(why))]
        case .flagged(let flags): [("flags", JSONValue(flags))]
        case .scored(let summand, let evidence):
            [("summand", summand.json), ("evidence", .array(evidence.map(\.json)))]
        case .unscored(let summand): [("summand", summand.json)]
        case .totalled(let score, let rank, let count):
            [("score", .number(score)), ("rank", .integer(rank)), ("of", .integer(count))]
        case .selected(let position), .reserved(let position): [("position", .integer(position))]
        case .chosen(let position, let verdict, let from):
            [("position", .integer(position)), ("verdict", .string(verdict)), ("from_reserve", JSONValue(from))]
        case .retrieved, .duplicated, .kept, .nonFinite, .notSelected, .unused, .noted: []
        }
    }
}

extension SmallestChange {
    var json: JSONValue {
        [
            "candidate_id": .string(candidate.text), "is_chosen": .bool(isChosen),
            "changes": .array(changes.map(\.json)), "vain": .array(vain.map(\.json)),
            "parameters": .integer(parameters), "reruns": .integer(reruns), "failures": .integer(failures),
            "limit": .integer(limit),
            "limit_reached": .bool(hasReachedLimit), "precision": .number(precision),
            "searched_to": searched.isFinite ? .number(searched) : .null, "left": JSONValue(left),
        ]
    }
}

extension ConfirmedChange {
    fileprivate var json: JSONValue {
        let (kind, node, parameter, from, to, reason, evidence):
            (String, NodeID, String?, JSONValue, JSONValue, String?, String?) =
                switch change {
                case .parameter(let node, let name, let from, let to): ("parameter", node, name, from, to, nil, nil)
                case .verdict(let node, let reason, let evidence):
                    ("verdict", node, nil, .null, .null, reason, evidence)
                case .availability(let node, let reason, let evidence):
                    ("availability", node, nil, .null, .null, reason, evidence)
                }
        return [
            "kind": .string(kind), "node": .string(node.text), "parameter": JSONValue(parameter), "from": from,
            "to": to,
            "reason": JSONValue(reason), "evidence": JSONValue(evidence), "relative_change": .number(relativeChange),
            "narrowed": .bool(isNarrowed), "far_fetched": .bool(isFarFetched),
            "choices": JSONValue(choices.map(\.text)),
        ]
    }
}

extension IneffectiveChange {
    fileprivate var json: JSONValue {
        [
            "node": .string(node.text), "reason": .string(reason), "evidence": .string(evidence),
            "state": JSONValue(state?.rawValue), "decided_by": JSONValue(decidedBy?.text), "then": JSONValue(then),
        ]
    }
}
