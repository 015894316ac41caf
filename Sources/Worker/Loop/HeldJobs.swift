import Synchronization

/// The jobs that a worker holds right now, and what it tells about them.
final class HeldJobs: Sendable {
    private let table: Mutex<LeaseTable>
    private let observer: any WorkerObserver
    /// Woken when a job ends: there is room for another.
    private let changed: @Sendable () -> Void

    init(_ settings: WorkerSettings, _ observer: any WorkerObserver, changed: @escaping @Sendable () -> Void) {
        table = Mutex(
            LeaseTable(length: settings.lease, margin: settings.margin, longest: settings.longestHold)
        )
        self.observer = observer
        self.changed = changed
    }

    var count: Int { table.withLock { $0.count } }
    /// What is to be renewed.
    var claims: [JobClaim] { table.withLock { $0.claims(at: .now) } }

    func hold(_ claims: [JobClaim], askedAt asked: ContinuousClock.Instant) {
        table.withLock { $0.hold(claims, askedAt: asked) }
    }

    /// Takes a renewal's answer in: jobs that are lost are told of, and work on them ends at its next step.
    func renew(_ asked: [JobClaim], held: Set<JobID>, askedAt moment: ContinuousClock.Instant) {
        let lost = table.withLock { $0.renew(asked, held: held, askedAt: moment) }
        for job in lost { observer.saw(.leaseLost(job)) }
    }

    func trusted(_ claim: JobClaim) -> ContinuousClock.Instant? { table.withLock { $0.trusted(claim, at: .now) } }

    func isTrusted(_ claim: JobClaim) -> Bool { trusted(claim) != nil }

    func drop(_ claim: JobClaim) {
        table.withLock { $0.drop(claim) }
        changed()
    }
}
