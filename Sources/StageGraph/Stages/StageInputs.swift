/// The values that reached a stage, by port.
package struct StageInputs: Sendable {
    /// One value and the node it came from.
    package struct Arrival: Sendable {
        package let node: NodeID
        package let value: any Sendable
    }

    /// What arrived at one port.
    struct Port: Sendable {
        let name: String
        let arrivals: [Arrival]
        /// Why sources among the port's nodes brought nothing, as one failure; nil where none of them failed.
        var outage: StageFailure?
    }

    /// A stage has a handful of ports: a list is searched faster than a table is made.
    private let ports: [Port]

    init(_ ports: [Port]) {
        self.ports = ports
    }

    package init(_ arrivals: [String: [Arrival]]) {
        ports = arrivals.map { Port(name: $0, arrivals: $1) }
    }

    private func arrivals(at name: String) -> [Arrival] {
        for port in ports where port.name == name { return port.arrivals }
        return []
    }

    /// The one value of a port; its absence is a broken law, since the runner starts no stage without it.
    package func value<Value>(_ port: InputPort<Value>) throws(StageFailure) -> Value {
        guard let value = arrivals(at: port.name).first?.value as? Value else {
            throw StageFailure(.stage, code: "input_missing", "input \(port.name) did not arrive as \(Value.self)")
        }
        return value
    }

    /// The value of a port that may be missing.
    package func value<Value>(_ port: OptionalPort<Value>) -> Value? {
        arrivals(at: port.name).first?.value as? Value
    }

    /// The values of a joining port in declared order, with the nodes they came from.
    package func values<Value>(_ port: ManyPort<Value>) -> [(node: NodeID, value: Value)] {
        arrivals(at: port.name).compactMap { arrival in
            (arrival.value as? Value).map { (arrival.node, $0) }
        }
    }

    /// What a joining stage fails with where all that arrived is empty and others could not be asked; nil where all were.
    package func outage<Value>(_ port: ManyPort<Value>) -> StageFailure? {
        for known in ports where known.name == port.name { return known.outage }
        return nil
    }
}

/// What a stage wants at one of its inputs.
package struct InputDeclaration: Sendable, Equatable {
    package enum Arity: Sendable, Equatable {
        /// Exactly one node, whose result must be there.
        case one
        /// At most one node, whose result may be missing.
        case optional
        /// Any number of nodes in declared order; those that failed are left out.
        case many
    }

    package let name: String
    package let arity: Arity
    private let value: any Sendable.Type

    init(_ name: String, _ arity: Arity, _ value: any Sendable.Type) {
        self.name = name
        self.arity = arity
        self.value = value
    }

    package var type: ObjectIdentifier { ObjectIdentifier(value) }
    /// Worked out where it is told: at a start it would be looked up for every input of every kind.
    package var typeName: String { String(describing: value) }

    package static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.arity == right.arity && left.value == right.value
    }
}

/// An input that takes exactly one value.
package struct InputPort<Value: Sendable>: Sendable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    package var declaration: InputDeclaration {
        InputDeclaration(name, .one, Value.self)
    }
}

/// An input that takes one value or goes without.
package struct OptionalPort<Value: Sendable>: Sendable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    package var declaration: InputDeclaration {
        InputDeclaration(name, .optional, Value.self)
    }
}

/// An input that joins any number of values in declared order.
package struct ManyPort<Value: Sendable>: Sendable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    package var declaration: InputDeclaration {
        InputDeclaration(name, .many, Value.self)
    }
}

/// What a node is to be made of, as far as it is known before any run: its parameters, and the nodes at its inputs.
package struct StageSetting: Sendable {
    package let parameters: ParameterValues
    /// By input, in declared order.
    let feeds: [String: [NodeID]]

    package init(_ parameters: ParameterValues, feeds: [String: [NodeID]] = [:]) {
        self.parameters = parameters
        self.feeds = feeds
    }

    package func nodes(at input: String) -> [NodeID] { feeds[input] ?? [] }

    /// Of several parameters the one that was set last: it is to blame where they do not fit together.
    package func latest(of parameters: [String]) -> String {
        let layer = { (name: String) in self.parameters.settings[name]?.layer ?? .default }
        return parameters.reversed().max { layer($0) < layer($1) } ?? ""
    }
}

/// What a kind of stage says against the way a node is set up.
package struct StageObjection: Sendable, Equatable {
    /// Where it lies inside the node, such as `parameters.hints` or `inputs.scores`.
    package let field: String
    package let message: String
    package let severity: PipelineProblem.Severity

    package init(_ field: String, _ message: String, _ severity: PipelineProblem.Severity = .error) {
        self.field = field
        self.message = message
        self.severity = severity
    }
}
