/// Something a reader of the result must know; some reasons make a run degraded, others are notes.
package struct RunReason: Sendable, Hashable {
    package let code: String
    package let node: NodeID?
    package let detail: String
    package let degrades: Bool

    package init(code: String, node: NodeID? = nil, detail: String, degrades: Bool) {
        self.code = code
        self.node = node
        self.detail = detail
        self.degrades = degrades
    }
}
