/// A value that is worked out on a thread of its own.
struct WorkThread<Value: Sendable> {
    private let desk: Desk
    /// Nil when the system had no thread left.
    private let thread: ParkedThread?

    /// Where the thread leaves its value.
    private final class Desk: Sendable {
        let work: @Sendable () -> Value
        let value = LockedValue<Value?>(nil)

        init(_ work: @escaping @Sendable () -> Value) { self.work = work }
    }

    init(_ work: @escaping @Sendable () -> Value) {
        let desk = Desk(work)
        self.desk = desk
        thread = ParkedThread.take()
        thread?.start {
            let result = desk.work()
            desk.value.withLock { $0 = result }
        }
    }

    /// Waits for the thread's end; where none could be started, the caller does the work.
    ///
    /// To be called once.
    func result() -> Value {
        if let thread {
            thread.wait()
            ParkedThread.put(thread)
        }
        return desk.value.withLock { $0 } ?? desk.work()
    }
}
