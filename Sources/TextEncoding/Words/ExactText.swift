/// A text as a key: another one where a byte differs, since texts that are equal as strings may still be read differently.
package struct ExactText: Hashable, Sendable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        let (one, other) = (left.text.utf8.span, right.text.utf8.span)
        guard one.count == other.count else { return false }
        for place in one.indices where one[place] != other[place] { return false }
        return true
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
