import KnotDomain

/// A vault on its way through a batch; it is handed on, never copied.
final class BatchVault: Sendable {
    let id: VaultID
    let job: ChoiceJob
    let reading: Duration
    /// When it was read.
    let since: ContinuousClock.Instant

    init(id: VaultID, job: ChoiceJob, reading: Duration, since: ContinuousClock.Instant) {
        self.id = id
        self.job = job
        self.reading = reading
        self.since = since
    }
}
