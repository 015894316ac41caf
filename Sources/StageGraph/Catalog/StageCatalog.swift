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
