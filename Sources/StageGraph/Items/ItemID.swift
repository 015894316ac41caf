/// The name of one item that flows through a graph.
///
/// Every table of a run is keyed by these, so each carries a number made of its letters once.
package struct ItemID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String
    /// FNV-1a of the text: a short cut for hashing and comparing, never a name of its own.
    let print: UInt64

    package init(_ text: String) {
        self.text = text
        var print: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { print = (print ^ UInt64(byte)) &* 0x100_0000_01b3 }
        self.print = print
    }

    package static func == (left: Self, right: Self) -> Bool { left.print == right.print && left.text == right.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(print) }
    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
    package var description: String { text }
}
