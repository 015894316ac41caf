import Synchronization

/// Something worked out when it is first asked for, and kept: whoever asks meanwhile may work it out too, one is kept.
///
/// It is lent and not copied, since many threads ask at once, and to count references they would take turns.
@safe struct FirstAnswer<Value: Sendable>: ~Copyable, @unchecked Sendable {
    // Proof of @unchecked Sendable: the value is whole before its address is told to anybody, and never changes.
    /// Owned: made by the first answer, freed in `deinit`.
    private let place = unsafe Atomic<UnsafeMutablePointer<Value>?>(nil)

    init() {}

    deinit {
        if let value = unsafe place.load(ordering: .acquiring) { unsafe Self.free(value) }
    }

    /// The work must come to the same whoever does it.
    subscript(_ work: () -> Value) -> Value {
        // The value stays where it is until nobody holds this any more.
        _read { yield unsafe address(work).pointee }
    }

    private func address(_ work: () -> Value) -> UnsafeMutablePointer<Value> {
        if let known = unsafe place.load(ordering: .acquiring) { return unsafe known }
        let made = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        unsafe made.initialize(to: work())
        let (isFirst, known) = unsafe place.compareExchange(
            expected: nil,
            desired: made,
            ordering: .acquiringAndReleasing
        )
        guard !isFirst, let known = unsafe known else { return unsafe made }
        unsafe Self.free(made)
        return unsafe known
    }

    private static func free(_ value: UnsafeMutablePointer<Value>) {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }
}
