import Glibc

/// A value that several threads share, behind a lock of the system's.
///
/// The thread sanitizer knows such a lock; what it would see of the standard library's `Mutex` are unordered accesses.
@safe final class LockedValue<Value>: @unchecked Sendable {
    // Proof of @unchecked Sendable: `value` is touched only between locking and unlocking.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    init(_ value: sending Value) {
        unsafe lock = .allocate(capacity: 1)
        self.value = value
        // The memory is this object's until its end, and no attributes are asked for.
        let result = unsafe pthread_mutex_init(lock, nil)
        precondition(result == 0, "the system refused a lock")
    }

    deinit {
        // Nobody holds a reference any more, so nobody holds the lock.
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
    }

    /// Lends the value to one caller at a time; `body` must not come back here.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return body(&value)
    }
}
