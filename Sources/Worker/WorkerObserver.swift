/// Who counts what a worker does, and who shows it: called at once from the loop, so it must not take long.
package protocol WorkerObserver: Sendable {
    /// Hears of one thing that happened; from any thread, in no order among jobs.
    func saw(_ event: WorkerEvent)
}

/// What happens to a worker and to the jobs that it holds.
package enum WorkerEvent: Sendable, Equatable {
    /// It begins, stops claiming, or has ended.
    case became(Phase)
    /// The queue answered a claim: the loop is alive, and this many jobs are held now.
    case claimed(jobs: Int, held: Int)
    /// The queue lengthened the leases of this many jobs: work on them is alive.
    case renewed(jobs: Int)
    /// The queue could not be asked; the loop waits and asks again.
    case queueFailed(code: String)
    /// Somebody's leases had run out: so many jobs wait again, and so many are put aside.
    case rescued(jobs: Int, dead: Int)
    /// Another worker has the job, or nobody wants it any more; what was done for it is dropped.
    case leaseLost(JobID)
    /// A job's person lives by a zone that nobody here knows, so that another's clock stands in.
    case zoneUnknown(JobID, warning: String)
    /// The connection broke in a COMMIT, and nobody could be asked how it ended.
    case commitUnknown
    /// A notice was handed over, or was not.
    case handedOver(Handover)
    /// A job of this worker has ended, or waits again.
    case ended(JobEnding)

    package enum Phase: String, Sendable, CaseIterable {
        case working
        /// Nothing more is claimed; what is held comes to its end.
        case draining
        case stopped
    }
}

/// What came of handing one notice over.
package struct Handover: Sendable, Equatable {
    /// The way's name: `outbox`, `webhook`, `apns`.
    package let way: String
    /// `delivered`, `later`, `refused`, `device_gone` or `misconfigured`.
    package let result: String
    /// Why not; nil where it was delivered.
    package let code: String?
    package let took: Duration
    /// Those of the jobs that it tells of.
    package let traces: [String]

    package init(way: String, result: String, code: String?, took: Duration, traces: [String] = []) {
        self.way = way
        self.result = result
        self.code = code
        self.took = took
        self.traces = traces
    }
}

/// How one attempt at a job ended.
package struct JobEnding: Sendable, Equatable {
    package enum Outcome: String, Sendable, CaseIterable {
        /// Delivered, and the notification says so.
        case completed
        /// It is the wrong hour; the attempt is not spent.
        case snoozed
        /// It is of no use any more.
        case cancelled
        /// It is tried again later.
        case retried
        /// It is put aside for good.
        case dead
        /// The lease is somebody else's; nothing was written.
        case lost
        /// Given back because the worker stops.
        case released
    }

    /// Whether nobody need do the job again, whoever stopped its worker since.
    package var isOver: Bool {
        switch outcome {
        case .completed, .cancelled, .dead: true
        case .snoozed, .retried, .lost, .released: false
        }
    }

    package let job: JobID
    package let attempt: Int
    package let outcome: Outcome
    /// Why, where it was not completed: lower case words joined by underscores, from a closed set.
    package let code: String?
    /// From the claim to the end.
    package let took: Duration
    /// From the moment it was due to the claim, on the database's clock.
    package let waited: Duration
    /// 32 hexadecimal digits that all lines about this attempt share.
    package let trace: String

    package init(
        job: JobID,
        attempt: Int,
        outcome: Outcome,
        code: String?,
        took: Duration,
        waited: Duration,
        trace: String
    ) {
        self.job = job
        self.attempt = attempt
        self.outcome = outcome
        self.code = code
        self.took = took
        self.waited = waited
        self.trace = trace
    }
}

/// Several observers as one.
package struct WorkerObservers: WorkerObserver {
    private let all: [any WorkerObserver]

    package init(_ all: [any WorkerObserver]) {
        self.all = all
    }

    package func saw(_ event: WorkerEvent) {
        for observer in all { observer.saw(event) }
    }
}
