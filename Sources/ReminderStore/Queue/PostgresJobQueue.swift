package import Delivery
package import KnotDomain
package import PostgresClient
import Scheduling
import StageGraph
import VaultStore
package import Worker

/// The queue in the database, by its functions alone, as the role of the worker.
///
/// Each call is one transaction of its own and keeps nothing in a session, so it works behind a pooler of transactions.
/// Of a COMMIT that nobody answered the job's own token tells how it ended.
package struct PostgresJobQueue: JobQueue {
    /// What the longest call may take, the pool's waiting with it.
    private static let limit = Duration.seconds(15)
    /// A renewal that takes longer is of no use: the next one is due.
    private static let renewalLimit = Duration.seconds(5)

    private let pool: ConnectionPool
    private let zones: any ZoneSource

    package init(_ pool: ConnectionPool, zones: any ZoneSource = ZoneCache()) {
        self.pool = pool
        self.zones = zones
    }

    // MARK: Claiming

    package func claim(
        _ limit: Int,
        by worker: WorkerID,
        lease: Duration
    ) async throws(JobQueueError) -> [ClaimedReminder] {
        let worker = try Self.uuid(worker.description)
        let seconds = Int32(clamping: lease.components.seconds)
        return try await claimed(
            """
            select c.*, c.lease_until - pg_catalog.make_interval(secs => \(Double(seconds))) as claimed_at
            from api.claim_jobs(\(worker), \(Int32(clamping: limit)), \(seconds)) c
            """,
            andRest: Rest(worker: worker, seconds: seconds, limit: limit)
        )
    }

    /// Due jobs of the vaults in a full batch, which may have been cut between two of one vault; up to a dozen of each.
    ///
    /// A job that a dead worker held comes by itself, and what is due of its vault with it; one that two have held stays alone.
    /// Beside one that was asked for before its time, what waits for the same moment is due as well, and what was told of in
    /// one notice with it.
    private struct Rest: Sendable {
        /// With all that a worker holds it stays below what the queue's functions take at once.
        private static let most = 150
        /// As many as `api.claim_jobs` takes.
        private static let mostOfVault = 12

        let worker: PostgresUUID
        let seconds: Int32
        let limit: Int

        /// Nil where nothing can have been cut off.
        func query(after jobs: [ClaimedReminder]) -> SQLQuery? {
            guard let first = jobs.first, first.crashes < 2, first.crashes > 0 || jobs.count >= limit else {
                return nil
            }
            let counts = Dictionary(grouping: jobs, by: \.vault).mapValues(\.count)
            let open = counts.filter { $0.value < Self.mostOfVault }.map(\.key).sorted()
            let vaults = open.compactMap { PostgresUUID($0.text) }
            let left = open.map { Int32(Self.mostOfVault - counts[$0, default: 0]) }
            let asked = jobs.compactMap { PostgresUUID($0.id.description) }
            return """
                select c.*, c.lease_until - pg_catalog.make_interval(secs => \(Double(seconds))) as claimed_at
                from (
                    select due.notification_id
                    from unnest(\(vaults), \(left)) as v (id, count)
                    cross join lateral (
                        select j.notification_id from public.recommendation_jobs j
                        where j.vault_id = v.id and j.state in ('available', 'retryable')
                            and j.notification_id is not null and j.crash_count < 2 and (
                                j.run_at <= knot.clock() or exists (
                                    select 1 from public.recommendation_jobs a
                                    where a.id = any (\(asked)) and (a.run_at = j.run_at or a.notice_id = j.notice_id)
                                )
                            )
                        order by j.run_at, j.id limit v.count
                    ) due
                    limit \(Self.most)
                ) d
                cross join lateral api.claim_notification(\(worker), d.notification_id, \(seconds)) c
                """
        }
    }

    package func claim(
        _ notification: NotificationID,
        by worker: WorkerID,
        lease: Duration
    ) async throws(JobQueueError) -> [ClaimedReminder] {
        let worker = try Self.uuid(worker.description)
        let notification = try Self.uuid(notification.description)
        let seconds = Int32(clamping: lease.components.seconds)
        return try await claimed(
            """
            select c.*, c.lease_until - pg_catalog.make_interval(secs => \(Double(seconds))) as claimed_at
            from api.claim_notification(\(worker), \(notification), \(seconds)) c
            """,
            andRest: Rest(worker: worker, seconds: seconds, limit: 1)
        )
    }

    private func claimed(_ query: SQLQuery, andRest rest: Rest) async throws(JobQueueError) -> [ClaimedReminder] {
        try await asking(for: Self.limit) { deadline throws(PostgresError) in
            try await pool.write(until: deadline) { transaction throws(PostgresError) in
                var jobs = try await transaction.run(query).map(Self.reminder)
                guard !jobs.isEmpty else { return .unwritten([]) }
                if let query = rest.query(after: jobs) {
                    jobs += try await transaction.run(query).map(Self.reminder)
                }
                let (ids, tokens) = try Self.keys(jobs.map(\.claim))
                return .written(
                    jobs,
                    CommitProof(
                        of: jobs,
                        """
                        select 1 from public.recommendation_jobs j
                        join unnest(\(ids), \(tokens)) as a (id, token)
                            on a.id = j.id and a.token = j.claim_token
                        where j.state = 'running' having pg_catalog.count(*) = \(jobs.count)
                        """
                    )
                )
            }
        }
    }

    private static func reminder(_ row: Row) throws(PostgresError) -> ClaimedReminder {
        let due: Instant = try row.decode("run_at")
        let now: Instant = try row.decode("claimed_at")
        return ClaimedReminder(
            claim: JobClaim(
                job: JobID(try row.decode("job_id", as: PostgresUUID.self).description),
                token: try row.decode("claim_token", as: PostgresUUID.self).description
            ),
            vault: VaultID(try row.decode("vault_id", as: PostgresUUID.self).description),
            key: ReminderKey(
                milestone: MilestoneID(try row.decode("milestone_id", as: PostgresUUID.self).description),
                occurrence: try row.decode("occurrence_date"),
                daysBefore: Int(try row.decode("days_before", as: Int32.self))
            ),
            notification: try row.decode("notification_id", as: PostgresUUID?.self)
                .map { NotificationID($0.description) },
            attempt: Int(try row.decode("attempt", as: Int32.self)),
            crashes: Int(try row.decode("crash_count", as: Int32.self)),
            waited: .milliseconds(max(0, now.millisecondsSinceEpoch - due.millisecondsSinceEpoch))
        )
    }

    package func renew(_ jobs: [JobClaim], lease: Duration) async throws(JobQueueError) -> Set<JobID> {
        let seconds = Int32(clamping: lease.components.seconds)
        return try await asking(for: Self.renewalLimit) { deadline throws(PostgresError) in
            let (ids, tokens) = try Self.keys(jobs)
            return try await pool.write(until: deadline) { transaction throws(PostgresError) in
                let rows = try await transaction.run("select r as id from api.renew(\(ids), \(tokens), \(seconds)) r")
                let held = try rows.map { row throws(PostgresError) in try Self.job(row) }
                return .written(Set(held), .byRepeating)
            }
        }
    }

    package func rescue(_ limit: Int) async throws(JobQueueError) -> RescuedJobs {
        try await asking(for: Self.limit) { deadline throws(PostgresError) in
            try await pool.write(until: deadline) { transaction throws(PostgresError) in
                let states = try await transaction.run("select r.state from api.rescue(\(Int32(clamping: limit))) r")
                    .map { row throws(PostgresError) in try row.decode("state", as: String.self) }
                guard !states.isEmpty else { return .unwritten(RescuedJobs(waiting: 0, dead: 0)) }
                let dead = states.count { $0 == "dead" }
                return .written(RescuedJobs(waiting: states.count - dead, dead: dead), .byRepeating)
            }
        }
    }

    package func release(_ worker: WorkerID) async throws(JobQueueError) -> Int {
        let worker = try Self.uuid(worker.description)
        return try await asking(for: Self.renewalLimit) { deadline throws(PostgresError) in
            try await pool.write(until: deadline) { transaction throws(PostgresError) in
                // What a worker gives back when it stops, another one need not find by chance.
                let results = try await transaction.pipeline(
                    ["select api.release(\(worker)) as released", QueueNews.statement]
                )
                return .written(try results[0].only().decode("released", as: Int.self), .byRepeating)
            }
        }
    }

    // MARK: What is stored

    package func look(at jobs: [ClaimedReminder]) async throws(JobQueueError) -> DueReminders {
        try await asking(for: Self.limit) { deadline throws(PostgresError) in
            let rows = try DueReminderRows(jobs)
            return try rows.read(try await pool.read(rows.statements, until: deadline), zones: zones)
        }
    }

    // MARK: Ending

    package func begin(_ notices: [NoticeOfJobs]) async throws(JobQueueError) -> Set<NoticeID> {
        guard !notices.isEmpty else { return [] }
        return try await asking(for: Self.limit) { deadline throws(PostgresError) in
            let (jobs, tokens) = try Self.keys(notices.flatMap(\.jobs))
            let names = notices.flatMap { notice in notice.jobs.map { _ in PostgresUUID(notice.id.description) } }
            let all = notices.map { PostgresUUID($0.id.description) }
            let contents = notices.map(\.content)
            return try await pool.write(until: deadline) { transaction throws(PostgresError) in
                let rows = try await transaction.run(
                    "select b as id from api.begin_notices(\(names), \(jobs), \(tokens), \(all), \(contents)) b"
                )
                return .written(try Self.notices(rows), .byRepeating)
            }
        }
    }

    package func finish(_ notices: [DeliveredNotice]) async throws(JobQueueError) -> Set<NoticeID> {
        guard !notices.isEmpty else { return [] }
        return try await asking(for: Self.limit) { deadline throws(PostgresError) in
            let told = notices.flatMap(\.told)
            let names = notices.flatMap { notice in notice.told.map { _ in PostgresUUID(notice.id.description) } }
            let (jobs, tokens) = Self.claims(told)
            let runs = told.map { PostgresUUID($0.run) }
            return try await pool.write(until: deadline) { transaction throws(PostgresError) in
                let rows = try await transaction.run(
                    "select d as id from api.finish_notices(\(names), \(jobs), \(tokens), \(runs)) d"
                )
                let done = try Self.notices(rows)
                guard !done.isEmpty else { return .unwritten(done) }
                let ended = notices.filter { done.contains($0.id) }.flatMap(\.told)
                return .written(done, CommitProof(of: done, Self.lookAtEnds(of: ended)))
            }
        }
    }

    private static func notices(_ rows: Rows) throws(PostgresError) -> Set<NoticeID> {
        Set(
            try rows.map { row throws(PostgresError) in
                NoticeID(try row.decode("id", as: PostgresUUID.self).description)
            }
        )
    }

    /// One row where every claimed job of these has ended under its token.
    private static func lookAtEnds(of told: [ToldReminder]) -> SQLQuery {
        let (jobs, tokens) = Self.claims(told)
        return """
            select 1 where not exists (
                select 1 from unnest(\(jobs), \(tokens)) as a (id, token)
                where a.token is not null and not exists (
                    select 1 from public.recommendation_jobs j
                    where j.id = a.id and j.claim_token = a.token and j.state = 'completed'
                )
            )
            """
    }

    private static func claims(_ told: [ToldReminder]) -> (jobs: [PostgresUUID?], tokens: [PostgresUUID?]) {
        (told.map { PostgresUUID($0.job.description) }, told.map { $0.claim.flatMap { PostgresUUID($0.token) } })
    }

    package func fail(_ job: JobClaim, _ failure: JobFailure) async throws(JobQueueError) -> FailedJob {
        let (seconds, attoseconds) = (failure.after ?? .zero).components
        let wait = failure.after == nil ? nil : Double(seconds) + Double(attoseconds) / 1e18
        let state = try await write(job) { id, token in
            guard failure.spendsAttempt else {
                return """
                    select case when api.snooze(
                        \(id), \(token),
                        knot.clock() + pg_catalog.make_interval(secs => \(wait ?? 5) + 10 * pg_catalog.random())
                    ) then 'retryable' end as state
                    """
            }
            return """
                select api.fail(
                    \(id), \(token), \(failure.failureClass.rawValue), \(failure.code), \(failure.detail),
                    \(failure.isPermanent), \(wait)
                ) as state
                """
        }
        return switch state {
        case nil: .lost
        case "dead": .dead
        default: .waits
        }
    }

    package func snooze(_ job: JobClaim, until moment: Instant) async throws(JobQueueError) -> Bool {
        let state = try await write(job) { id, token in
            "select case when api.snooze(\(id), \(token), \(moment)) then 'waits' end as state"
        }
        return state != nil
    }

    package func cancel(_ job: JobClaim, code: String) async throws(JobQueueError) -> Bool {
        let state = try await write(job) { id, token in
            "select case when api.call_off(\(id), \(token), \(code)) then 'cancelled' end as state"
        }
        return state != nil
    }

    /// A write that takes the job out of our hands; nil where it was not in them.
    private func write(
        _ job: JobClaim,
        _ query: (_ id: PostgresUUID, _ token: PostgresUUID) -> SQLQuery
    ) async throws(JobQueueError) -> String? {
        let id = try Self.uuid(job.job.description)
        let token = try Self.uuid(job.token)
        let statement = query(id, token)
        return try await asking(for: Self.limit) { deadline throws(PostgresError) in
            try await pool.write(until: deadline) { transaction throws(PostgresError) in
                let state = try await transaction.run(statement).only().decode("state", as: String?.self)
                guard let state else { return .unwritten(nil) }
                let look: SQLQuery = """
                    select j.state from public.recommendation_jobs j
                    where j.id = \(id) and j.claim_token = \(token) and j.state <> 'running'
                    """
                return .written(state, CommitProof(of: state, look))
            }
        }
    }

    package func forget(
        _ device: Notice.Device,
        of job: JobClaim,
        since: Instant?
    ) async throws(JobQueueError) {
        let id = try Self.uuid(job.job.description)
        let token = try Self.uuid(job.token)
        try await asking(for: Self.limit) { deadline throws(PostgresError) in
            try await pool.write(until: deadline) { transaction throws(PostgresError) in
                _ = try await transaction.run(
                    "select api.forget_device(\(id), \(token), \(device.token), \(since)) as is_done"
                )
                return .written((), .byRepeating)
            }
        }
    }

    // MARK: Asking

    private func asking<Value: Sendable>(
        for limit: Duration,
        _ body: (ContinuousClock.Instant) async throws(PostgresError) -> Value
    ) async throws(JobQueueError) -> Value {
        do throws(PostgresError) {
            return try await body(.now + limit)
        } catch {
            throw JobQueueError(error)
        }
    }

    private static func uuid(_ text: String) throws(JobQueueError) -> PostgresUUID {
        guard let id = PostgresUUID(text) else {
            throw JobQueueError(.permanent, code: "no_uuid", "an id is no UUID: check it")
        }
        return id
    }

    /// The ids and the tokens of claims, as two lists of one length.
    static func keys(_ jobs: [JobClaim]) throws(PostgresError) -> ([PostgresUUID], [PostgresUUID]) {
        var ids: [PostgresUUID] = []
        var tokens: [PostgresUUID] = []
        for job in jobs {
            guard let id = PostgresUUID(job.job.description), let token = PostgresUUID(job.token) else {
                throw PostgresError(.unexpectedValue, at: "a claim", detail: "its job or its token is no UUID")
            }
            ids.append(id)
            tokens.append(token)
        }
        return (ids, tokens)
    }

    private static func job(_ row: Row) throws(PostgresError) -> JobID {
        JobID(try row.decode("id", as: PostgresUUID.self).description)
    }
}

extension JobQueueError {
    package init(_ error: PostgresError) {
        let kind: Kind =
            switch error.code {
            case .unknownCommit: .unknown
            case .configuration, .authenticationFailed, .unknownDatabase, .tlsRequired, .tlsFailed, .notPermitted,
                .undefinedObject, .missingExtension, .invalidStatement:
                .permanent
            default: .transient
            }
        self.init(kind, code: error.stageFailure.code, error.advice)
    }
}
