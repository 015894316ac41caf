/// The kinds of stage a pipeline may name, with what each needs and how one is made.
package struct StageCatalog<Ports: Sendable>: Sendable {
    /// Makes one stage of a kind from its parameters and the ports to the outside.
    typealias Make = @Sendable (ParameterValues, Ports) -> NodeBody

    private var makers: [String: Make] = [:]
    /// What is known of each kind, in the order in which they were added.
    package private(set) var facts: [StageFacts] = []
    /// What the node of a pipeline's result must give; nil where anything will do.
    package var result: ResultType?

    package init() {}

    /// Lets a choice among words, which a kind declares, be some more words too.
    package mutating func allow(_ words: [String], for parameter: String, of kind: String) {
        guard let index = facts.firstIndex(where: { $0.kind == kind }),
            let place = facts[index].parameters.firstIndex(where: { $0.name == parameter }),
            case .choice(let known) = facts[index].parameters[place].domain
        else { preconditionFailure("\(kind) has no parameter \(parameter) that is a choice among words") }
        facts[index].parameters[place].domain = .choice(known + words.filter { !known.contains($0) })
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

    func make(_ kind: String, _ values: ParameterValues, _ ports: Ports) -> NodeBody {
        guard let make = makers[kind] else {
            preconditionFailure("a plan names the kind \(kind), which its catalogue does not have")
        }
        return make(values, ports)
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
    package internal(set) var parameters: [ParameterDeclaration]
    package let feedParameter: FeedParameter?
    let outputType: any Sendable.Type
    /// The input whose items this stage hands on or decides about, if its role has one.
    package let itemInput: String?
    let objections: @Sendable (StageSetting) -> [StageObjection]

    init<S: Stage>(_ stage: S.Type) {
        kind = S.kind
        role = S.role
        revision = S.revision
        summary = S.summary
        inputs = S.roleInputs + S.inputs
        parameters = S.parameters
        feedParameter = S.feedParameter
        outputType = S.NodeValue.self
        itemInput = S.itemInput
        objections = { S.objections(to: $0) }
    }

    package var output: ObjectIdentifier { ObjectIdentifier(outputType) }
    /// Worked out where it is told: at a start it would be looked up for every kind, and hardly ever told.
    package var outputName: String { String(describing: outputType) }

    package func input(named name: String) -> InputDeclaration? {
        inputs.first { $0.name == name }
    }

    package func parameter(named name: String) -> ParameterDeclaration? {
        parameters.first { $0.name == name }
    }
}

/// The type a plan's result must have, and what a person is told it is called.
package struct ResultType: Sendable {
    private let value: any Sendable.Type

    package init(_ value: any Sendable.Type) {
        self.value = value
    }

    var type: ObjectIdentifier { ObjectIdentifier(value) }
    var name: String { String(describing: value) }
}

extension StageCatalog {
    /// How a stage is made of its parameters and the ports.
    package typealias Maker<S> = @Sendable (ParameterValues, Ports) -> S

    /// Adds a kind of stage.
    package mutating func add<S: Stage>(_ stage: S.Type, make: @escaping Maker<S>) {
        insert(StageFacts(S.self)) { make($0, $1).nodeBody }
    }
}
