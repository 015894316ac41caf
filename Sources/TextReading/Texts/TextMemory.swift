import Synchronization
import TextEncoding

/// What was made of texts lately, for whoever asks for the same text again: notes and limits come again with their vault.
///
/// The work must come to the same whoever does it. When the younger half is full, the older is forgotten.
final class TextMemory<Value: Sendable>: Sendable {
    private struct State {
        var young: [ExactText: Value] = [:]
        var old: [ExactText: Value] = [:]
    }

    private let state = Mutex(State())
    private let half: Int

    init(capacity: Int) {
        half = max(1, capacity / 2)
    }

    func value(of text: String, make: () -> Value) -> Value {
        let key = ExactText(text)
        let known = state.withLock { state -> Value? in
            if let known = state.young[key] { return known }
            guard let known = state.old[key] else { return nil }
            if state.young.count < half { state.young[key] = known }
            return known
        }
        if let known { return known }
        let value = make()
        state.withLock { state in
            if state.young.count >= half {
                state.old = state.young
                state.young = [:]
            }
            state.young[key] = value
        }
        return value
    }
}
