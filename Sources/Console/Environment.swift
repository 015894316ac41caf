import Glibc

/// The environment variables that a program knows, read once at the start.
package struct Environment: Sendable, Equatable {
    private let values: [String: String]
    /// Variables whose bytes are no text: they count as not set, and whoever needs them says so.
    ///
    /// Their bytes are not kept, since a password may be among them.
    package let unspeakable: Set<String>

    package init(_ values: [String: String], unspeakable: Set<String> = []) {
        self.values = values
        self.unspeakable = unspeakable
    }

    /// The process's own of these names.
    package init(reading names: [String]) {
        var values: [String: String] = [:]
        var unspeakable: Set<String> = []
        for name in names {
            // Called before any other thread runs, and copied at once.
            guard let value = unsafe getenv(name) else { continue }
            if let text = unsafe String(validatingCString: value) {
                values[name] = text
            } else {
                unspeakable.insert(name)
            }
        }
        self.init(values, unspeakable: unspeakable)
    }

    /// A set variable, even an empty one; nil when it is not set.
    package subscript(name: String) -> String? { values[name] }

    /// Every set variable of those that the program knows.
    package var all: [String: String] { values }
}
