import JSONDocument
import KnotDomain
import StageGraph

extension CandidateLife {
    var json: JSONValue {
        [
            "candidate_id": .string(candidate.text), "title": JSONValue(title), "state": .string(state.rawValue),
            "node": JSONValue(node?.text), "life": .array(steps.map(\.json)),
        ]
    }
}

extension LifeStep {
    fileprivate var json: JSONValue {
        var members: [JSONObject.Member] = [
            .init(name: "node", value: .string(node.text)), .init(name: "event", value: .string(event.name)),
            .init(name: "words", value: .string(event.words)),
        ]
        for (name, value) in event.members { members.append(.init(name: name, value: value)) }
        return .object(JSONObject(members))
    }
}

extension LifeStep.Event {
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
