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
