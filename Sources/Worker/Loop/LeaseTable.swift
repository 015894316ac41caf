/// The jobs that a worker holds, and until when it may trust that it does; on the clock of this machine that never jumps.
struct LeaseTable: Sendable {
    private struct Lease: Sendable {
        let claim: JobClaim
        /// When it was claimed.
        let start: ContinuousClock.Instant
        var end: ContinuousClock.Instant
    }

    private let length: Duration
    /// Work on a job stops so long before its lease ends: what is sent then may arrive too late.
    private let margin: Duration
    /// A job that is held for longer hangs: its lease is left to run out, so that somebody else may try.
    private let longest: Duration
    private var leases: [JobID: Lease] = [:]

    init(length: Duration, margin: Duration, longest: Duration = .seconds(600)) {
        self.longest = longest
        self.length = length
        self.margin = margin
    }

    var count: Int { leases.count }

    /// What is to be renewed, in one order.
    func claims(at now: ContinuousClock.Instant) -> [JobClaim] {
        leases.values.filter { $0.start.duration(to: now) < longest }.map(\.claim).sorted { $0.job < $1.job }
    }

    /// Takes jobs in that were asked for at a moment: their leases began then or later, whenever the answer came.
    mutating func hold(_ claims: [JobClaim], askedAt asked: ContinuousClock.Instant) {
        for claim in claims { leases[claim.job] = Lease(claim: claim, start: asked, end: asked + length) }
    }

    /// Lengthens what the queue still knows as ours, and returns and forgets what it does not.
    mutating func renew(_ asked: [JobClaim], held: Set<JobID>, askedAt moment: ContinuousClock.Instant) -> [JobID] {
        var lost: [JobID] = []
        for claim in asked where leases[claim.job]?.claim == claim {
            if held.contains(claim.job) {
                leases[claim.job]?.end = moment + length
            } else {
                leases[claim.job] = nil
                lost.append(claim.job)
            }
        }
        return lost
    }

    /// Until when work on a job may go on; nil where it is not held any more, as far as is known here.
    func trusted(_ claim: JobClaim, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let lease = leases[claim.job], lease.claim == claim else { return nil }
        let end = lease.end - margin
        return now < end ? end : nil
    }

    /// Forgets a job that has ended or was given back.
    mutating func drop(_ claim: JobClaim) {
        if leases[claim.job]?.claim == claim { leases[claim.job] = nil }
    }
}
