/// The name of one item that flows through a graph.
package struct ItemID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
    package var description: String { text }
}
