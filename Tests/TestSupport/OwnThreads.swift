package import Testing
import Threads

/// Runs tests on threads of their own instead of the pool's, of which there are as many as processors.
///
/// There, tests that compute for long or wait for a process would keep every other one waiting; and those that ask services,
/// which are waited for by the clock, would be kept waiting by what computes.
package struct OwnThreads: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true

    /// More threads than tests that run at once: none of them waits for another's either.
    private static let executor = StageExecutor(threads: 8)

    /// Does something there that several tests wait for.
    package static func task<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        Task(executorPreference: executor) { try await work() }
    }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.executor) { try await function() }
    }
}

extension Trait where Self == OwnThreads {
    /// The tests compute for long, block, or depend on the clock.
    package static var onOwnThreads: Self { Self() }
}
