import Synchronization

/// A value made of an answer's body, which is made once however many readers want it.
package final class OnceRead: Sendable {
    private let state = Mutex<(any Sendable)?>(nil)

    package init() {}

    /// The value; nil where it was not made yet.
    package var known: (any Sendable)? { state.withLock { $0 } }

    /// The value; every reader of one answer reads it as the same type.
    package func value<Value: Sendable>(_ read: () -> Value) -> Value {
        if let known = known as? Value { return known }
        let value = read()
        state.withLock { $0 = value }
        return value
    }
}
