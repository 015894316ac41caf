/// The kinds of stage a pipeline may name, with what each needs and how one is made.
package struct StageCatalog<Ports: Sendable>: Sendable {
    /// Makes one stage of a kind from its parameters and the ports to the outside.
    typealias Make = @Sendable (ParameterValues, Ports) throws(ParameterError) -> NodeBody

    private var makers: [String: Make] = [:]
    /// What is known of each kind, in the order in which they were added.
    package private(set) var facts: [StageFacts] = []
    /// What the node of a pipeline's result must give; nil where anything will do.
    package var result: ResultType?

    package init() {}

    /// The facts of one kind.
    package subscript(kind: String) -> StageFacts? {
        facts.first { $0.kind == kind }
    }

    mutating func insert(_ entry: StageFacts, _ make: @escaping Make) {
        precondition(makers[entry.kind] == nil, "the kind \(entry.kind) is in the catalogue already")
        precondition(
            Set(entry.inputs.map(\.name)).count == entry.inputs.count,
            "\(entry.kind) declares one input twice"
        )
        precondition(
            Set(entry.parameters.map(\.name)).count == entry.parameters.count,
            "\(entry.kind) declares one parameter twice"
        )
        makers[entry.kind] = make
        facts.append(entry)
    }

    func make(_ kind: String, _ values: ParameterValues, _ ports: Ports) throws(ParameterError) -> NodeBody {
        guard let make = makers[kind] else {
            preconditionFailure("a plan names the kind \(kind), which its catalogue does not have")
        }
        return try make(values, ports)
    }
}

/// Everything a catalogue knows of one kind of stage without making one.
package struct StageFacts: Sendable {
    package let kind: String
    package let role: StageRole
    package let revision: Int
    package let summary: String
    /// The role's inputs first, then the stage's own.
    package let inputs: [InputDeclaration]
    package let parameters: [ParameterDeclaration]
    package let output: ObjectIdentifier
    package let outputName: String
    /// The input whose items this stage hands on or decides about, if its role has one.
    package let itemInput: String?
    let objections: @Sendable (StageSetting) -> [StageObjection]

    init<S: Stage, Output>(
        _ stage: S.Type,
        roleInputs: [InputDeclaration] = [],
        itemInput: String? = nil,
        output: Output.Type
    ) {
        kind = S.kind
        role = S.role
        revision = S.revision
        summary = S.summary
        inputs = roleInputs + S.inputs
        parameters = S.parameters
        self.output = ObjectIdentifier(Output.self)
        outputName = String(describing: Output.self)
        self.itemInput = itemInput
        objections = { S.objections(to: $0) }
    }

    package func input(named name: String) -> InputDeclaration? {
        inputs.first { $0.name == name }
    }

    package func parameter(named name: String) -> ParameterDeclaration? {
        parameters.first { $0.name == name }
    }
}

/// The type a plan's result must have, and what a person is told it is called.
package struct ResultType: Sendable {
    let type: ObjectIdentifier
    let name: String

    package init<Value: Sendable>(_ value: Value.Type) {
        type = ObjectIdentifier(Value.self)
        name = String(describing: Value.self)
    }
}

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
