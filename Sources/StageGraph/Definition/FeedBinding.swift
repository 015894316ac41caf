import JSONDocument

infix operator <- : ComparisonPrecedence

/// One input and what feeds it; made with `<-`, which only takes outputs of the input's own type.
package struct FeedBinding: Sendable {
    let port: String
    let nodes: [NodeID]
    let isList: Bool
}

extension InputPort {
    /// Feeds this input from one node.
    package static func <- (port: Self, output: NodeOutput<Value>) -> FeedBinding {
        FeedBinding(port: port.name, nodes: [output.node], isList: false)
    }
}

extension OptionalPort {
    /// Feeds this input from one node.
    package static func <- (port: Self, output: NodeOutput<Value>) -> FeedBinding {
        FeedBinding(port: port.name, nodes: [output.node], isList: false)
    }
}

extension ManyPort {
    /// Joins nodes at this input in this order.
    package static func <- (port: Self, outputs: [NodeOutput<Value>]) -> FeedBinding {
        FeedBinding(port: port.name, nodes: outputs.map(\.node), isList: true)
    }
}

/// One parameter and its value; made with `<-`, which only takes values of the parameter's own type.
package struct ParameterBinding: Sendable {
    let name: String
    let value: JSONValue
    let why: String?

    /// The same binding with the reason for the value.
    package func because(_ why: String) -> ParameterBinding {
        ParameterBinding(name: name, value: value, why: why)
    }
}

extension Parameter where Value == Double {
    /// Sets this parameter.
    package static func <- (parameter: Self, value: Double) -> ParameterBinding {
        ParameterBinding(name: parameter.name, value: .number(value), why: nil)
    }
}

extension Parameter where Value == Int {
    /// Sets this parameter.
    package static func <- (parameter: Self, value: Int) -> ParameterBinding {
        ParameterBinding(name: parameter.name, value: .integer(value), why: nil)
    }
}

extension Parameter where Value == Bool {
    /// Sets this parameter.
    package static func <- (parameter: Self, value: Bool) -> ParameterBinding {
        ParameterBinding(name: parameter.name, value: .bool(value), why: nil)
    }
}

extension Parameter where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// Sets this parameter.
    package static func <- (parameter: Self, value: Value) -> ParameterBinding {
        ParameterBinding(name: parameter.name, value: .string(value.rawValue), why: nil)
    }
}
