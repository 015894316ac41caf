import Glibc

/// A port of 127.0.0.1 that takes connections and never says a word.
package final class LoopbackPort: Sendable {
    package let number: Int
    private let descriptor: Int32

    package init() throws {
        (descriptor, number) = try LoopbackSocket.listen()
    }

    deinit {
        close(descriptor)
    }

    /// A port nobody listens at just now.
    package static func free() throws -> Int {
        try LoopbackPort().number
    }
}
