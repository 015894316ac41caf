/// A node of a pipeline under construction, known by the type of what it gives.
package struct NodeOutput<Value: Sendable>: Sendable {
    package let node: NodeID
}
