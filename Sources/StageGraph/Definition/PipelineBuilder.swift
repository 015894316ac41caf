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

extension PipelineBuilder {
    /// Adds a reader, retriever, planner or presenter.
    package mutating func add<S: TransformStage>(
        _ id: String,
        _ stage: S.Type,
        _ feeds: [FeedBinding] = [],
        parameters: [ParameterBinding] = [],
        rules: NodeRules = NodeRules()
    ) -> NodeOutput<S.Output> {
        add(id, kind: S.kind, feeds, parameters, rules)
        return NodeOutput(node: NodeID(id))
    }

    /// Adds a source.
    package mutating func add<S: SourceStage>(
        _ id: String,
        _ stage: S.Type,
        _ feeds: [FeedBinding] = [],
        parameters: [ParameterBinding] = [],
        rules: NodeRules = NodeRules()
    ) -> NodeOutput<Pool<S.Item>> {
        add(id, kind: S.kind, feeds, parameters, rules)
        return NodeOutput(node: NodeID(id))
    }

    /// Adds an aggregator.
    package mutating func add<S: AggregateStage>(
        _ id: String,
        _ stage: S.Type,
        _ feeds: [FeedBinding] = [],
        parameters: [ParameterBinding] = [],
        rules: NodeRules = NodeRules()
    ) -> NodeOutput<Pool<S.Item>> {
        add(id, kind: S.kind, feeds, parameters, rules)
        return NodeOutput(node: NodeID(id))
    }

    /// Adds a filter.
    package mutating func add<S: FilterStage>(
        _ id: String,
        _ stage: S.Type,
        _ feeds: [FeedBinding] = [],
        parameters: [ParameterBinding] = [],
        rules: NodeRules = NodeRules()
    ) -> NodeOutput<Pool<S.Item>> {
        add(id, kind: S.kind, feeds, parameters, rules)
        return NodeOutput(node: NodeID(id))
    }

    /// Adds a scorer.
    package mutating func add<S: ScoreStage>(
        _ id: String,
        _ stage: S.Type,
        _ feeds: [FeedBinding] = [],
        parameters: [ParameterBinding] = [],
        rules: NodeRules = NodeRules()
    ) -> NodeOutput<ScoreColumn> {
        add(id, kind: S.kind, feeds, parameters, rules)
        return NodeOutput(node: NodeID(id))
    }

    /// Adds a shortlist.
    package mutating func add<S: ShortlistStage>(
        _ id: String,
        _ stage: S.Type,
        _ feeds: [FeedBinding] = [],
        parameters: [ParameterBinding] = [],
        rules: NodeRules = NodeRules()
    ) -> NodeOutput<Pool<S.Item>> {
        add(id, kind: S.kind, feeds, parameters, rules)
        return NodeOutput(node: NodeID(id))
    }

    /// Adds a combiner.
    package mutating func add<S: CombineStage>(
        _ id: String,
        _ stage: S.Type,
        _ feeds: [FeedBinding] = [],
        parameters: [ParameterBinding] = [],
        rules: NodeRules = NodeRules()
    ) -> NodeOutput<Ranking<S.Item>> {
        add(id, kind: S.kind, feeds, parameters, rules)
        return NodeOutput(node: NodeID(id))
    }

    /// Adds a selector.
    package mutating func add<S: SelectStage>(
        _ id: String,
        _ stage: S.Type,
        _ feeds: [FeedBinding] = [],
        parameters: [ParameterBinding] = [],
        rules: NodeRules = NodeRules()
    ) -> NodeOutput<Selection<S.Item>> {
        add(id, kind: S.kind, feeds, parameters, rules)
        return NodeOutput(node: NodeID(id))
    }

    /// Adds a check.
    package mutating func add<S: CheckStage>(
        _ id: String,
        _ stage: S.Type,
        _ feeds: [FeedBinding] = [],
        parameters: [ParameterBinding] = [],
        rules: NodeRules = NodeRules()
    ) -> NodeOutput<CheckedSelection<S.Item>> {
        add(id, kind: S.kind, feeds, parameters, rules)
        return NodeOutput(node: NodeID(id))
    }

    /// Adds a sink.
    package mutating func add<S: SinkStage>(
        _ id: String,
        _ stage: S.Type,
        _ feeds: [FeedBinding] = [],
        parameters: [ParameterBinding] = [],
        rules: NodeRules = NodeRules()
    ) -> NodeOutput<S.Receipt> {
        add(id, kind: S.kind, feeds, parameters, rules)
        return NodeOutput(node: NodeID(id))
    }
}

/// A node of a pipeline under construction, known by the type of what it gives.
package struct NodeOutput<Value: Sendable>: Sendable {
    package let node: NodeID
}

/// How a node of a builder behaves in time and in failure; the same fields as in a definition file.
package struct NodeRules: Sendable {
    package var policy: NodePolicy?
    package var minimum: [String: Int]
    package var substitute: NodeID?
    package var wait: Duration?
    package var life: Duration?
    package var retry: RetryPolicy?

    package init(
        policy: NodePolicy? = nil,
        minimum: [String: Int] = [:],
        substitute: NodeID? = nil,
        wait: Duration? = nil,
        life: Duration? = nil,
        retry: RetryPolicy? = nil
    ) {
        self.policy = policy
        self.minimum = minimum
        self.substitute = substitute
        self.wait = wait
        self.life = life
        self.retry = retry
    }
}
