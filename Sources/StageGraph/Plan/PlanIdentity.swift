import Digest
import JSONDocument

/// The form of a plan that its identity is taken of: values only, no reasons, no summaries, no order of members.
enum PlanIdentity {
    static func digest(name: String, deadline: Duration, result: Int, nodes: [PlanNode]) -> String {
        let form: JSONValue = [
            "schema": .string(PipelineDefinition.schema), "name": .string(name),
            "deadline": .string(DurationText.text(deadline)), "result": .string(nodes[result].id.text),
            "nodes": .array(nodes.map { json($0, among: nodes) }),
        ]
        return SHA256Digest(of: JSONWriter.bytes(form, style: .canonical)).hex
    }

    private static func json(_ node: PlanNode, among nodes: [PlanNode]) -> JSONValue {
        let feeds = node.feeds.map { ($0.input.name, JSONValue($0.nodes.map { nodes[$0].id.text })) }
        let minima = node.feeds.filter { $0.input.arity == .many }.map {
            ($0.input.name, JSONValue.integer($0.minimum))
        }
        let parameters = node.stage.parameters.compactMap { declaration in
            node.parameters.settings[declaration.name].map { (declaration.name, $0.value) }
        }
        return [
            "id": .string(node.id.text), "kind": .string(node.stage.kind), "revision": .integer(node.stage.revision),
            "inputs": NodeDefinition.object(feeds), "minimum": NodeDefinition.object(minima),
            "parameters": NodeDefinition.object(parameters), "policy": .string(node.policy.rawValue),
            "substitute": JSONValue(node.substitute.map { nodes[$0].id.text }),
            "wait": JSONValue(node.wait.map { DurationText.text($0) }),
            "life": JSONValue(node.life.map { DurationText.text($0) }),
            "retry": node.retry.map {
                ["attempts": .integer($0.attempts), "base": .string(DurationText.text($0.base))]
            } ?? .null,
        ]
    }
}
