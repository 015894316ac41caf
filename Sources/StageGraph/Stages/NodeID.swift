/// The name of one node of a graph, as its definition writes it.
package struct NodeID: Hashable, Sendable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(stringLiteral value: String) {
        text = value
    }

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
    package var description: String { text }
}
