extension StageCatalog {
    /// How a stage is made of its parameters and the ports.
    package typealias Maker<S> = @Sendable (ParameterValues, Ports) throws(ParameterError) -> S

    /// Adds a reader, retriever, planner or presenter.
    package mutating func add<S: TransformStage>(_ stage: S.Type, make: @escaping Maker<S>) {
        insert(StageFacts(S.self, output: S.Output.self)) {
            (values, ports) throws(ParameterError) in NodeBody.transform(try make(values, ports))
        }
    }

    /// Adds a source.
    package mutating func add<S: SourceStage>(_ stage: S.Type, make: @escaping Maker<S>) {
        insert(StageFacts(S.self, output: Pool<S.Item>.self)) {
            (values, ports) throws(ParameterError) in NodeBody.source(try make(values, ports))
        }
    }

    /// Adds an aggregator.
    package mutating func add<S: AggregateStage>(_ stage: S.Type, make: @escaping Maker<S>) {
        insert(
            StageFacts(S.self, roleInputs: [S.pools.declaration], itemInput: S.pools.name, output: Pool<S.Item>.self)
        ) {
            (values, ports) throws(ParameterError) in NodeBody.aggregate(try make(values, ports))
        }
    }

    /// Adds a filter.
    package mutating func add<S: FilterStage>(_ stage: S.Type, make: @escaping Maker<S>) {
        insert(StageFacts(S.self, roleInputs: [S.pool.declaration], itemInput: S.pool.name, output: Pool<S.Item>.self))
        {
            (values, ports) throws(ParameterError) in NodeBody.filter(try make(values, ports))
        }
    }

    /// Adds a scorer.
    package mutating func add<S: ScoreStage>(_ stage: S.Type, make: @escaping Maker<S>) {
        insert(StageFacts(S.self, roleInputs: [S.pool.declaration], output: ScoreColumn.self)) {
            (values, ports) throws(ParameterError) in NodeBody.score(try make(values, ports))
        }
    }

    /// Adds a shortlist.
    package mutating func add<S: ShortlistStage>(_ stage: S.Type, make: @escaping Maker<S>) {
        insert(
            StageFacts(
                S.self,
                roleInputs: [S.pool.declaration, S.columns.declaration],
                itemInput: S.pool.name,
                output: Pool<S.Item>.self
            )
        ) {
            (values, ports) throws(ParameterError) in NodeBody.shortlist(try make(values, ports))
        }
    }

    /// Adds a combiner.
    package mutating func add<S: CombineStage>(_ stage: S.Type, make: @escaping Maker<S>) {
        insert(
            StageFacts(
                S.self,
                roleInputs: [S.pool.declaration, S.columns.declaration],
                itemInput: S.pool.name,
                output: Ranking<S.Item>.self
            )
        ) {
            (values, ports) throws(ParameterError) in NodeBody.combine(try make(values, ports))
        }
    }

    /// Adds a selector.
    package mutating func add<S: SelectStage>(_ stage: S.Type, make: @escaping Maker<S>) {
        insert(
            StageFacts(
                S.self,
                roleInputs: [S.ranking.declaration],
                itemInput: S.ranking.name,
                output: Selection<S.Item>.self
            )
        ) {
            (values, ports) throws(ParameterError) in NodeBody.select(try make(values, ports))
        }
    }

    /// Adds a check.
    package mutating func add<S: CheckStage>(_ stage: S.Type, make: @escaping Maker<S>) {
        insert(
            StageFacts(
                S.self,
                roleInputs: [S.selection.declaration],
                itemInput: S.selection.name,
                output: CheckedSelection<S.Item>.self
            )
        ) {
            (values, ports) throws(ParameterError) in NodeBody.check(try make(values, ports))
        }
    }

    /// Adds a sink.
    package mutating func add<S: SinkStage>(_ stage: S.Type, make: @escaping Maker<S>) {
        insert(StageFacts(S.self, output: S.Receipt.self)) {
            (values, ports) throws(ParameterError) in NodeBody.sink(try make(values, ports))
        }
    }
}
