import ChoiceService
import Composition
import Delivery
import JSONDocument
import KnotDomain
import Recommendation
import Worker

/// A named moment of a worker's work, where a test may end it.
package enum WorkerPoint: String, Sendable, CaseIterable {
    case beforeClaim = "before_claim"
    /// The jobs are ours, and this process does not know it yet.
    case afterClaim = "after_claim"
    case beforeVault = "before_vault"
    case beforeRun = "before_run"
    /// The three are chosen, nothing is stored.
    case beforeSave = "before_save"
    case afterSave = "after_save"
    case beforeBegin = "before_begin"
    case afterBegin = "after_begin"
    case beforeDelivery = "before_delivery"
    /// Whoever it is for has it, and this process does not know it yet.
    case afterDelivery = "after_delivery"
    case beforeFinish = "before_finish"
    case afterFinish = "after_finish"
    case beforeRenewal = "before_renewal"
    case afterRenewal = "after_renewal"
    case beforeRescue = "before_rescue"
    case afterRescue = "after_rescue"
    /// A worker that was told to stop gives back what it holds.
    case beforeRelease = "before_release"
    case afterRelease = "after_release"

    /// Points that only a worker comes to which was told to stop.
    package var isOfStopping: Bool { self == .beforeRelease || self == .afterRelease }

    /// Points that a worker comes to every now and then, whatever else it does.
    package var isOfTime: Bool { [.beforeRenewal, .afterRenewal, .beforeRescue, .afterRescue].contains(self) }
}

/// What happens at the points of a worker.
package struct PointWatch: Sendable {
    private let act: @Sendable (WorkerPoint) async -> Void

    package init(_ act: @escaping @Sendable (WorkerPoint) async -> Void) { self.act = act }

    package static let none = PointWatch { _ in }

    package func reach(_ point: WorkerPoint) async { await act(point) }
}

/// The real queue, with its points.
struct PointedQueue: JobQueue {
    private let queue: any JobQueue
    private let points: PointWatch

    init(queue: any JobQueue, points: PointWatch) {
        self.queue = queue
        self.points = points
    }

    func claim(
        _ limit: Int,
        by worker: WorkerID,
        lease: Duration
    ) async throws(JobQueueError) -> [ClaimedReminder] {
        await points.reach(.beforeClaim)
        let jobs = try await queue.claim(limit, by: worker, lease: lease)
        if !jobs.isEmpty { await points.reach(.afterClaim) }
        return jobs
    }

    func claim(
        _ notification: NotificationID,
        by worker: WorkerID,
        lease: Duration
    ) async throws(JobQueueError) -> [ClaimedReminder] {
        try await queue.claim(notification, by: worker, lease: lease)
    }

    func renew(_ jobs: [JobClaim], lease: Duration) async throws(JobQueueError) -> Set<JobID> {
        await points.reach(.beforeRenewal)
        let held = try await queue.renew(jobs, lease: lease)
        await points.reach(.afterRenewal)
        return held
    }

    func look(at jobs: [ClaimedReminder]) async throws(JobQueueError) -> DueReminders {
        try await queue.look(at: jobs)
    }

    func begin(_ notices: [NoticeOfJobs]) async throws(JobQueueError) -> Set<NoticeID> {
        await points.reach(.beforeBegin)
        let begun = try await queue.begin(notices)
        await points.reach(.afterBegin)
        return begun
    }

    func finish(_ notices: [DeliveredNotice]) async throws(JobQueueError) -> Set<NoticeID> {
        await points.reach(.beforeFinish)
        let done = try await queue.finish(notices)
        await points.reach(.afterFinish)
        return done
    }

    func fail(_ job: JobClaim, _ failure: JobFailure) async throws(JobQueueError) -> FailedJob {
        try await queue.fail(job, failure)
    }

    func snooze(_ job: JobClaim, until moment: Instant) async throws(JobQueueError) -> Bool {
        try await queue.snooze(job, until: moment)
    }

    func cancel(_ job: JobClaim, code: String) async throws(JobQueueError) -> Bool {
        try await queue.cancel(job, code: code)
    }

    func release(_ worker: WorkerID) async throws(JobQueueError) -> Int {
        await points.reach(.beforeRelease)
        let count = try await queue.release(worker)
        await points.reach(.afterRelease)
        return count
    }

    func rescue(_ limit: Int) async throws(JobQueueError) -> RescuedJobs {
        await points.reach(.beforeRescue)
        let found = try await queue.rescue(limit)
        await points.reach(.afterRescue)
        return found
    }

    func forget(
        _ device: Notice.Device,
        of job: JobClaim,
        since: Instant?
    ) async throws(JobQueueError) {
        try await queue.forget(device, of: job, since: since)
    }
}

/// A real way of delivery, with its points.
struct PointedDelivery: NoticeDelivery {
    let delivery: any NoticeDelivery
    let points: PointWatch

    var name: String { delivery.name }

    func refusal(of device: Notice.Device?) -> DeliveryResult? { delivery.refusal(of: device) }

    func deliver(_ notice: Notice, until deadline: ContinuousClock.Instant) async -> DeliveryResult {
        await points.reach(.beforeDelivery)
        let result = await delivery.deliver(notice, until: deadline)
        await points.reach(.afterDelivery)
        return result
    }
}

/// The real store of sets, with its points.
struct PointedChoices: ChoiceStoring {
    let store: StoredChoices
    let points: PointWatch

    func answers(
        to request: String,
        of vaults: [VaultID],
        pipelineHash: String
    ) async throws(ChoiceError) -> [VaultID: EarlierAnswer] {
        try await store.answers(to: request, of: vaults, pipelineHash: pipelineHash)
    }

    func answer(to identity: RunIdentity, pipelineHash: String) async throws(ChoiceError) -> StoredAnswer? {
        try await store.answer(to: identity, pipelineHash: pipelineHash)
    }

    func record(of run: FinishedRun, as style: JSONWriter.Style) throws(ChoiceError) -> StoredChoices.Record {
        try store.record(of: run, as: style)
    }

    func save(_ records: [StoredChoices.Record]) async -> [Result<StoredAnswer, ChoiceError>] {
        await points.reach(.beforeSave)
        let saved = await store.save(records)
        await points.reach(.afterSave)
        return saved
    }
}
