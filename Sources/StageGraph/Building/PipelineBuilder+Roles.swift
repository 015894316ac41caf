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
