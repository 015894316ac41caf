import Glibc

/// A detached thread that belongs to us and not to the shared pool.
package enum OwnThread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts a thread; returns false when the system has none left.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let context = unsafe Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        // The thread takes over the one reference made above; when there is no thread it is given back here.
        let result = unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                    body.run()
                }
                return nil
            },
            context.toOpaque()
        )
        guard result == 0 else {
            unsafe context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
