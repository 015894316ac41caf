package import Delivery
package import KnotDomain

/// The durable queue as a worker sees it: every write needs the claim's token, and the queue's own clock decides.
///
/// A call that throws has changed nothing, unless its error says that this is not known.
package protocol JobQueue: Sendable {
    /// Takes due jobs, the most urgent first, at most so many; others' are skipped and not waited for.
    ///
    /// Due jobs of one vault come together, also beyond that number: a person is told of them once. At most a dozen of a vault
    /// are held at once, so that a vault with many jobs doesn't keep a worker from others. What a dead worker held
    /// comes by itself, and only to a worker that holds nothing: so whatever kills workers is known by its name.
    func claim(_ limit: Int, by worker: WorkerID, lease: Duration) async throws(JobQueueError) -> [ClaimedReminder]

    /// Takes the job of a notification, due or not, and with it what else of its vault is due by then: a person is told of it
    /// once. The one that was asked for is the first; none where nobody can have it now.
    func claim(
        _ notification: NotificationID,
        by worker: WorkerID,
        lease: Duration
    ) async throws(JobQueueError) -> [ClaimedReminder]

    /// Lengthens leases and returns the jobs that are still held: one that is missing is lost.
    func renew(_ jobs: [JobClaim], lease: Duration) async throws(JobQueueError) -> Set<JobID>

    /// What is stored now of claimed jobs and of all they depend on; a job that is not held any more is missing.
    func look(at jobs: [ClaimedReminder]) async throws(JobQueueError) -> DueReminders

    /// Notes which jobs are told of in which notice and what that says, before it is handed over for the first time, and
    /// returns the notices of which that is so now: of another one a job is not held any more, or its name said something
    /// else before.
    func begin(_ notices: [NoticeOfJobs]) async throws(JobQueueError) -> Set<NoticeID>

    /// Ends the jobs of notices that were delivered, those of each all at once or none: they are completed, their
    /// notifications sent. Returns the notices that ended so.
    ///
    /// Of another one nothing is written: a job of it that is claimed is not held any more.
    func finish(_ notices: [DeliveredNotice]) async throws(JobQueueError) -> Set<NoticeID>

    /// Notes a failure; false where the job is not held any more.
    func fail(_ job: JobClaim, _ failure: JobFailure) async throws(JobQueueError) -> FailedJob

    /// Gives a job back until a moment, without spending the attempt; false where it is not held any more.
    func snooze(_ job: JobClaim, until moment: Instant) async throws(JobQueueError) -> Bool

    /// Ends a job that is of no use any more, and its notification with it; false where it is not held any more.
    func cancel(_ job: JobClaim, code: String) async throws(JobQueueError) -> Bool

    /// Gives back all that a worker still holds, and returns how many.
    func release(_ worker: WorkerID) async throws(JobQueueError) -> Int

    /// Takes back jobs whose lease ran out, at most so many.
    func rescue(_ limit: Int) async throws(JobQueueError) -> RescuedJobs

    /// Forgets a dead device of a job's person, unless it was registered anew since.
    func forget(_ device: Notice.Device, of job: JobClaim, since: Instant?) async throws(JobQueueError)
}

/// Jobs that are told of in one notice.
package struct NoticeOfJobs: Sendable, Hashable {
    package let id: NoticeID
    package let jobs: [JobClaim]
    /// The document that each try sends.
    package let content: String

    package init(id: NoticeID, jobs: [JobClaim], content: String) {
        self.id = id
        self.jobs = jobs
        self.content = content
    }
}

/// A notice that was taken, and the reminders that end with it.
package struct DeliveredNotice: Sendable, Hashable {
    package let id: NoticeID
    package let told: [ToldReminder]

    package init(id: NoticeID, told: [ToldReminder]) {
        self.id = id
        self.told = told
    }
}

/// What became of a job that failed.
package enum FailedJob: Sendable, Equatable {
    case waits
    /// It is put aside for good.
    case dead
    case lost
}

/// What a rescue found.
package struct RescuedJobs: Sendable, Equatable {
    /// They wait and are tried again.
    package let waiting: Int
    package let dead: Int

    package init(waiting: Int, dead: Int) {
        self.waiting = waiting
        self.dead = dead
    }
}

/// Why the queue could not be asked.
package struct JobQueueError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        /// It may answer a little later: a server that restarts, a lost race, a busy network.
        case transient
        /// It will not answer before somebody mends something: rights, schema, address.
        case permanent
        /// It may or may not have been done, and nobody can be asked.
        case unknown
    }

    package let kind: Kind
    /// Lower case words joined by underscores.
    package let code: String
    /// One sentence with what to do, free of values.
    package let description: String

    package init(_ kind: Kind, code: String, _ description: String) {
        self.kind = kind
        self.code = code
        self.description = description
    }
}
