package import Testing
import Threads

/// Runs tests that compute for long on threads of their own: on those of the pool, of which there are as many as processors,
/// they would keep every other test waiting, those that measure time among them.
package struct OwnThreads: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true

    /// More threads than tests that run at once: none of them waits for another's either.
    private static let executor = StageExecutor(threads: 8)

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.executor) { try await function() }
    }
}

extension Trait where Self == OwnThreads {
    /// The tests compute for long.
    package static var onOwnThreads: Self { Self() }
}
