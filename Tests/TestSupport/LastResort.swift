/// The longest that a test waits for what must come: it ends a test that hangs, and decides nothing else.
///
/// A machine that is ten times slower than any of ours still needs a tenth of it.
package enum LastResort {
    package static let limit = Duration.seconds(1_200)

    /// A deadline for calls that are to come to their end, however slow the machine is.
    package static var end: ContinuousClock.Instant { .now + limit }

    /// Asks again and again until it is so; throws where it never is.
    package static func wait(
        every pause: Duration = .milliseconds(20),
        until isSo: () async throws -> Bool
    ) async throws {
        let end = end
        while try await !isSo() {
            guard ContinuousClock.now < end else { throw DatabaseTestError("what was waited for did not come") }
            try await ContinuousClock().sleep(for: pause)
        }
    }
}
