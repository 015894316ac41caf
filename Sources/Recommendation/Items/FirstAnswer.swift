import Synchronization

/// Something worked out when it is first asked for, and kept: whoever asks meanwhile may work it out too, one is kept.
struct FirstAnswer<Value: Sendable>: ~Copyable, Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private let box = AtomicLazyReference<Box>()

    init() {}

    /// The work must come to the same whoever does it.
    func callAsFunction(_ work: () -> Value) -> Value {
        if let known = box.load() { return known.value }
        return box.storeIfNil(Box(work())).value
    }
}
