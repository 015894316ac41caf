/// The values that reached a stage, by port.
package struct StageInputs: Sendable {
    /// One value and the node it came from.
    package struct Arrival: Sendable {
        package let node: NodeID
        package let value: any Sendable

        package init(node: NodeID, value: any Sendable) {
            self.node = node
            self.value = value
        }
    }

    /// What arrived at one port.
    struct Port: Sendable {
        let name: String
        let arrivals: [Arrival]
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
}
