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
