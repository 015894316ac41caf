/// A text that no log, error or debugger shows by accident.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text itself, for the one call that needs it.
    let exposed: String

    package init(_ text: String) {
        exposed = text
    }

    package var description: String { "***" }
    package var debugDescription: String { "***" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
