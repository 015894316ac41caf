import Glibc
import Synchronization

/// A thread that works out one value.
struct WorkThread<Value: Sendable> {
    private let desk: Desk
    /// Nil when the system had no thread left.
    private let thread: pthread_t?

    /// Where the thread leaves its value.
    private final class Desk: Sendable {
        let work: @Sendable () -> Value
        let value = Mutex<Value?>(nil)

        init(_ work: @escaping @Sendable () -> Value) { self.work = work }
    }

    init(_ work: @escaping @Sendable () -> Value) {
        let desk = Desk(work)
        self.desk = desk
        thread = WorkEntry.start {
            let result = desk.work()
            desk.value.withLock { $0 = result }
        }
    }

    /// Waits for the thread's end; where none could be started, the caller does the work.
    ///
    /// To be called once.
    func result() -> Value {
        if let thread { _ = pthread_join(thread, nil) }
        return desk.value.withLock { $0 } ?? desk.work()
    }
}

/// What a new thread is handed.
private final class WorkEntry: Sendable {
    private let run: @Sendable () -> Void

    private init(_ run: @escaping @Sendable () -> Void) { self.run = run }

    static func start(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
        let entry = unsafe Unmanaged.passRetained(WorkEntry(run))
        var thread = pthread_t()
        // The thread takes over the one reference made above; when there is no thread it is given back here.
        let failure = unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<WorkEntry>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            },
            entry.toOpaque()
        )
        guard failure == 0 else {
            unsafe entry.release()
            return nil
        }
        return thread
    }
}
