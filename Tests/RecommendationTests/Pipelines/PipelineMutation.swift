import JSONDocument
import Recommendation
import Shipped
import StageGraph

/// Changes a pipeline file the way a tired hand would: values at and past their bounds, removed keys, swapped types,
/// nodes fed from elsewhere.
struct PipelineMutation {
    private var generator: SeededGenerator
    private let facts: [String: StageFacts]

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        facts = Dictionary(StageCatalog.knot.facts.map { ($0.kind, $0) }) { first, _ in first }
    }

    mutating func mutated(_ pipeline: JSONValue) -> JSONValue {
        var changed = pipeline
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0...4: changed = setParameter(in: changed)
            case 5: changed = atRandomPlace(in: changed) { _, _ in nil }
            case 6: changed = atRandomPlace(in: changed) { value, generator in Self.other(than: value, &generator) }
            case 7: changed = feedFromElsewhere(in: changed)
            case 8: changed = behaveOtherwise(in: changed)
            default: changed = removeOrDouble(in: changed)
            }
        }
        return changed
    }

    private static let odd: [JSONValue] = [
        nil, true, 0, -1, 1, 2.5, 1e308, "", "x", "a\u{0}b", [], ["x"], ["value": 0], ["value": nil], "yelp", "brief",
    ]

    private static func other(than value: JSONValue, _ generator: inout SeededGenerator) -> JSONValue? {
        odd.filter { $0 != value }.randomElement(using: &generator)
    }

    /// Sets a parameter of a node, most often to a value that fits, to one at its bound or to one past it.
    private mutating func setParameter(in pipeline: JSONValue) -> JSONValue {
        let facts = facts
        return changingNode(of: pipeline) { node, generator in
            let declared = node["kind"]?.string.flatMap { facts[$0] }?.parameters ?? []
            guard let parameter = declared.randomElement(using: &generator) else { return }
            var parameters = node["parameters"]?.object ?? JSONObject()
            parameters[parameter.name] = Self.value(of: parameter.domain, &generator)
            node["parameters"] = .object(parameters)
        }
    }

    private static func value(
        of domain: ParameterDeclaration.Domain,
        _ generator: inout SeededGenerator
    ) -> JSONValue {
        switch domain {
        case .double(let range):
            let inside = Double.random(in: range, using: &generator)
            let values = [
                range.lowerBound, range.upperBound, inside, inside, range.lowerBound.nextDown, range.upperBound.nextUp,
            ]
            return .number(values.randomElement(using: &generator) ?? 0)
        case .integer(let range):
            let inside = Int.random(in: range, using: &generator)
            let values = [range.lowerBound, range.upperBound, inside, range.lowerBound - 1, range.upperBound + 1]
            return .integer(values.randomElement(using: &generator) ?? 0)
        case .bool: return .bool(Bool.random(using: &generator))
        case .choice(let words): return .string((words + ["nothing"]).randomElement(using: &generator) ?? "")
        }
    }

    private mutating func feedFromElsewhere(in pipeline: JSONValue) -> JSONValue {
        let ids = (pipeline["nodes"]?.array ?? []).compactMap { $0["id"]?.string }
        return changingNode(of: pipeline) { node, generator in
            guard var inputs = node["inputs"]?.object, let port = inputs.names.randomElement(using: &generator),
                let other = ids.randomElement(using: &generator)
            else { return }
            if var list = inputs[port]?.array, !list.isEmpty {
                let place = Int.random(in: list.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: list[place] = .string(other)
                case 1: list.remove(at: place)
                default: list.append(.string(other))
                }
                inputs[port] = .array(list)
            } else {
                inputs[port] = .string(other)
            }
            node["inputs"] = .object(inputs)
        }
    }

    /// Times stay long enough for a busy machine: to be out of time is no fault of a pipeline's making.
    private mutating func behaveOtherwise(in pipeline: JSONValue) -> JSONValue {
        let ids = (pipeline["nodes"]?.array ?? []).compactMap { $0["id"]?.string }
        return changingNode(of: pipeline) { node, generator in
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: node["policy"] = ["required", "optional", "never"].randomElement(using: &generator)
            case 1: node["wait"] = ["5s", "20s", "0s", "soon"].randomElement(using: &generator)
            case 2: node["life"] = ["5s", "20s", "-1s", 5].randomElement(using: &generator)
            case 3: node["substitute"] = ids.randomElement(using: &generator).map(JSONValue.string)
            case 4:
                let ports = node["inputs"]?.object?.names ?? []
                let port = ports.randomElement(using: &generator) ?? "pools"
                let least = [0, 1, 2, 5, 99].randomElement(using: &generator) ?? 1
                node["minimum"] = .object(JSONObject([.init(name: port, value: .integer(least))]))
            default: node["retry"] = [["attempts": 1], ["attempts": 11], []].randomElement(using: &generator)
            }
        }
    }

    private mutating func removeOrDouble(in pipeline: JSONValue) -> JSONValue {
        guard var object = pipeline.object, var nodes = object["nodes"]?.array, !nodes.isEmpty else { return pipeline }
        let place = Int.random(in: nodes.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: nodes.remove(at: place)
        case 1: nodes.append(nodes[place])
        case 2:
            if var node = nodes[place].object {
                node["id"] = .string("other_\(place)")
                nodes.append(.object(node))
            }
        default: object["result"] = nodes[place]["id"]
        }
        object["nodes"] = .array(nodes)
        return .object(object)
    }

    private mutating func changingNode(
        of pipeline: JSONValue,
        _ change: (inout JSONObject, inout SeededGenerator) -> Void
    ) -> JSONValue {
        guard var object = pipeline.object, var nodes = object["nodes"]?.array, !nodes.isEmpty else { return pipeline }
        let place = Int.random(in: nodes.indices, using: &generator)
        guard var node = nodes[place].object else { return pipeline }
        change(&node, &generator)
        nodes[place] = .object(node)
        object["nodes"] = .array(nodes)
        return .object(object)
    }

    /// Replaces or removes one value anywhere in the file; every place is as likely as any other.
    private mutating func atRandomPlace(
        in pipeline: JSONValue,
        _ change: (JSONValue, inout SeededGenerator) -> JSONValue?
    ) -> JSONValue {
        var left = Int.random(in: 1..<max(2, Self.size(of: pipeline)), using: &generator)
        return Self.walked(pipeline, &left, change, &generator) ?? pipeline
    }

    private static func size(of value: JSONValue) -> Int {
        switch value {
        case .array(let items): 1 + items.reduce(0) { $0 + size(of: $1) }
        case .object(let object): 1 + object.members.reduce(0) { $0 + size(of: $1.value) }
        default: 1
        }
    }

    private static func walked(
        _ value: JSONValue,
        _ left: inout Int,
        _ change: (JSONValue, inout SeededGenerator) -> JSONValue?,
        _ generator: inout SeededGenerator
    ) -> JSONValue? {
        if left == 0 {
            left = -1
            return change(value, &generator)
        }
        left -= 1
        guard left >= 0 else { return value }
        switch value {
        case .array(let items):
            return .array(items.compactMap { left < 0 ? $0 : walked($0, &left, change, &generator) })
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.compactMap { member in
                        let inner = left < 0 ? member.value : walked(member.value, &left, change, &generator)
                        return inner.map { JSONObject.Member(name: member.name, value: $0) }
                    }
                )
            )
        default: return value
        }
    }
}
