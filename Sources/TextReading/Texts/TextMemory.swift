import Synchronization
import TextEncoding

/// The values that were asked for lately, in two halves: when the younger half is full, the older is dropped.
package struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private let half: Int

    /// - Parameter capacity: How many values both halves hold at most.
    package init(capacity: Int) {
        half = max(1, capacity / 2)
    }

    /// Returns a value, and moves it to the younger half while there is room.
    package mutating func value(for key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old[key] else { return nil }
        if young.count < half { young[key] = value }
        return value
    }

    /// Adds or replaces a value.
    package mutating func keep(_ value: Value, for key: Key) {
        if young.count >= half {
            old = young
            young = [:]
        }
        young[key] = value
    }
}

/// The values that were computed from texts lately: notes and limits come again with their vault.
///
/// Callers that ask for the same text must do work with the same result.
package final class TextMemory<Value: Sendable>: Sendable {
    private let recent: Mutex<RecentValues<ExactText, Value>>

    package init(capacity: Int) {
        recent = Mutex(RecentValues(capacity: capacity))
    }

    package func value(of text: String, make: () -> Value) -> Value {
        let key = ExactText(text)
        if let known = recent.withLock({ $0.value(for: key) }) { return known }
        let value = make()
        recent.withLock { $0.keep(value, for: key) }
        return value
    }
}
