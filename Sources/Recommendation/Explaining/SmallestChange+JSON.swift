import JSONDocument
import KnotDomain
import StageGraph

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

extension VainVerdict {
    fileprivate var json: JSONValue {
        [
            "node": .string(node.text), "reason": .string(reason), "evidence": .string(evidence),
            "state": JSONValue(state?.rawValue), "decided_by": JSONValue(decidedBy?.text), "then": JSONValue(then),
        ]
    }
}
