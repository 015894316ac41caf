package import Synchronization

/// A value that is computed when a caller first asks for it, and kept.
///
/// Callers that ask at the same time may each compute it; one result is kept. The value is lent and not copied: many threads
/// ask at once, and would wait for each other to count references. Its members are inlinable because callers in other
/// rooms ask in their innermost loops.
@safe package struct FirstAnswer<Value: Sendable>: ~Copyable, @unchecked Sendable {
    // Proof of @unchecked Sendable: the value is complete before any thread sees its address, and never changes.
    /// Owned: made by the first answer, freed in `deinit`.
    @usableFromInline let place = unsafe Atomic<UnsafeMutablePointer<Value>?>(nil)

    @inlinable package init() {}

    @inlinable deinit {
        if let value = unsafe place.load(ordering: .acquiring) { unsafe Self.free(value) }
    }

    /// The value; every caller's work must compute the same.
    @inlinable package subscript(_ work: () -> Value) -> Value {
        // The value stays in place for the lifetime of this struct.
        _read { yield unsafe address(work).pointee }
    }

    @inlinable func address(_ work: () -> Value) -> UnsafeMutablePointer<Value> {
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

    @inlinable static func free(_ value: UnsafeMutablePointer<Value>) {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }
}
