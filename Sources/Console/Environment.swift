import FileInput
import Glibc

/// The environment variables that a program knows, read once at the start.
package struct Environment: Sendable, Equatable {
    private let values: [String: String]
    /// Variables whose bytes are no text, written out: they count as not set, and whoever needs them says so.
    package let unspeakable: [String: String]

    package init(_ values: [String: String], unspeakable: [String: String] = [:]) {
        self.values = values
        self.unspeakable = unspeakable
    }

    /// The process's own of these names.
    package init(reading names: [String]) {
        var values: [String: String] = [:]
        var unspeakable: [String: String] = [:]
        for name in names {
            // Called before any other thread runs, and copied at once.
            guard let value = unsafe getenv(name) else { continue }
            if let text = unsafe String(validatingCString: value) {
                values[name] = text
            } else {
                let bytes = unsafe UnsafeBufferPointer(start: value, count: strlen(value)).map { UInt8(bitPattern: $0) }
                unspeakable[name] = OddText.written(bytes)
            }
        }
        self.init(values, unspeakable: unspeakable)
    }

    /// A set variable, even an empty one; nil when it is not set.
    package subscript(name: String) -> String? { values[name] }

    /// Every set variable of those that the program knows.
    package var all: [String: String] { values }
}
