/// Builds the same definition as a file does, with every edge's type checked by the compiler.
package struct PipelineBuilder {
    private var definition: PipelineDefinition
    private let file: String

    package init(_ name: String, deadline: Duration, file: String = #fileID) {
        definition = PipelineDefinition(name: name, place: SourcePlace(file: file))
        definition.deadline = deadline
        self.file = file
    }

    /// The finished definition, to be checked and lowered by `Plan` like any other.
    package func definition<Value>(result: NodeOutput<Value>) -> PipelineDefinition {
        var finished = definition
        finished.result = result.node
        return finished
    }

    mutating func add(
        _ id: String,
        kind: String,
        _ feeds: [FeedBinding],
        _ parameters: [ParameterBinding],
        _ rules: NodeRules
    ) {
        let place = SourcePlace(file: file).member("nodes").item(definition.nodes.count)
        var node = NodeDefinition(id: NodeID(id), kind: kind, place: place)
        for feed in feeds { node.feed(feed.port, from: feed.nodes, isList: feed.isList) }
        for parameter in parameters {
            node.assign(
                parameter.name,
                ParameterValues.Setting(value: parameter.value, layer: .file, origin: file, why: parameter.why)
            )
        }
        node.policy = rules.policy
        node.minimum = rules.minimum
        node.substitute = rules.substitute
        node.wait = rules.wait
        node.life = rules.life
        node.retry = rules.retry
        definition.nodes.append(node)
    }
}
