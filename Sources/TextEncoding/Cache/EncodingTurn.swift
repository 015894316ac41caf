import Synchronization

/// Lets the encoders of one cache work one after another, so that what two callers miss at once is made once.
///
/// Waiting costs little: an encoder uses all threads it has, and two at once would only share them.
final class EncodingTurn: Sendable {
    private let gate = Mutex(())

    /// Runs `body` while nobody else's runs.
    ///
    /// The encoder is called under the lock on purpose: it is what the turn is about, and it never comes back to this
    /// cache.
    func take<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try gate.withLock { _ throws(Failure) in try body() }
    }
}
