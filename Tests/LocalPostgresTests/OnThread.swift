import Threads

/// Runs what blocks on a thread of its own.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let started = OwnThread.start { continuation.resume(with: Result { try work() }) }
        precondition(started, "the system has no thread left")
    }
}
