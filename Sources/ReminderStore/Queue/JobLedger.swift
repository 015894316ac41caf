package import JSONDocument
package import KnotDomain
package import PostgresClient
import Scheduling
package import VaultStore
package import Worker

/// A job of the queue as it is stored, for whoever looks after it: no name of a person, a day or a thing.
package struct JobRecord: Sendable, Hashable {
    package let id: JobID
    package let vault: VaultID
    package let milestone: MilestoneID
    package let occurrence: CivilDate
    package let daysBefore: Int
    /// What kind of day it is: `birthday`, `holiday`; nil where the milestone is gone.
    package let occasion: String?
    /// `available`, `running`, `retryable`, `completed`, `cancelled` or `dead`.
    package let state: String
    package let dueAt: Instant
    package let attempt: Int
    package let crashes: Int
    /// The worker that holds it, or held it last: the name that its process took at its start.
    package let worker: WorkerID?
    package let leaseUntil: Instant?
    package let finishedAt: Instant?
    package let notification: NotificationID?
    package let run: String?
    package let errorClass: String?
    package let errorCode: String?
    package let errorDetail: String?
}

extension JobRecord {
    /// Ids, states, moments and codes.
    package var json: JSONValue {
        [
            "job_id": .string(id.description), "vault_id": .string(vault.text), "milestone_id": .string(milestone.text),
            "occasion": JSONValue(occasion), "occurrence": .string(occurrence.description),
            "days_before": .integer(daysBefore), "state": .string(state),
            "due_at": .string(dueAt.iso8601), "attempt": .integer(attempt), "crashes": .integer(crashes),
            "worker": JSONValue(worker?.description), "lease_until": JSONValue(leaseUntil?.iso8601),
            "finished_at": JSONValue(finishedAt?.iso8601), "notification_id": JSONValue(notification?.description),
            "run_id": JSONValue(run), "error_class": JSONValue(errorClass), "error_code": JSONValue(errorCode),
            "error_detail": JSONValue(errorDetail),
        ]
    }
}

/// What has become of a job that nobody can have.
package enum JobStanding: Sendable, Hashable {
    /// A worker is at it.
    case held
    /// Its person was told of it in the notice of another one of the vault's.
    case toldTogether(JobID, attempt: Int)
    case ended
}

/// The queue in figures.
package struct JobCounts: Sendable, Hashable {
    package let now: Instant
    package let byState: [String: Int]
    /// Due and not begun.
    package let due: Int
    package let oldestDue: Duration?
    /// Running under a lease that is over: nobody has taken them back yet.
    package let stuck: Int
    /// Of what is put aside, by code.
    package let deadByCode: [String: Int]
}

extension JobCounts {
    /// `knot.job-stats/1`.
    package var json: JSONValue {
        var states = JSONObject()
        for state in JobLedger.states { states[state] = .integer(byState[state] ?? 0) }
        var dead = JSONObject()
        for (code, count) in deadByCode.sorted(by: { $0.key < $1.key }) { dead[code] = .integer(count) }
        return [
            "schema": "knot.job-stats/1", "as_of": .string(now.iso8601), "states": .object(states),
            "due": .integer(due), "oldest_due_s": JSONValue(oldestDue.map { Int($0.components.seconds) }),
            "stuck": .integer(stuck), "dead_by_code": .object(dead),
        ]
    }
}

/// The queue as an operator sees and mends it.
package struct JobLedger: Sendable {
    package static let states = ["available", "running", "retryable", "completed", "cancelled", "dead"]

    private let pool: ConnectionPool

    package init(_ pool: ConnectionPool) { self.pool = pool }

    /// A page of jobs by when they are due, those after one of them; of some states, and of one vault where one is named.
    package func page(
        of states: [String],
        vault: PostgresUUID?,
        after last: PostgresUUID?,
        limit: Int,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> [JobRecord] {
        let start: SQLQuery = """
            select l.run_at, l.id from public.recommendation_jobs l where l.id = \(last)
            """
        let query: SQLQuery = """
            \(fragment: Self.selection)
            where j.state = any (\(states)) and (\(vault) is null or j.vault_id = \(vault))
                and (\(last) is null or (j.run_at, j.id) > (\(fragment: start)))
            order by j.run_at, j.id limit \(limit)
            """
        return try await read([query], until: deadline) { rows throws(PostgresError) in
            try rows[0].map { row throws(PostgresError) in try Self.record(row) }
        }
    }

    package func job(
        _ id: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> JobRecord? {
        let query: SQLQuery = "\(fragment: Self.selection) where j.id = \(id)"
        return try await read([query], until: deadline) { rows throws(PostgresError) in
            try rows[0].map { row throws(PostgresError) in try Self.record(row) }.first
        }
    }

    /// How the job of a notification stands for whoever cannot have it; nil where there is none.
    package func standing(
        of notification: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> JobStanding? {
        let query: SQLQuery = """
            select j.id, j.state, j.attempt, exists (
                select 1 from public.recommendation_jobs o
                where (o.notice_id = j.notice_id or o.notification_id = j.notice_id) and o.id <> j.id
            ) as is_of_another
            from public.recommendation_jobs j where j.notification_id = \(notification)
            """
        return try await read([query], until: deadline) { rows throws(PostgresError) in
            guard let row = rows[0].first else { return nil }
            let state: String = try row.decode("state")
            let isOfAnother: Bool? = try row.decode("is_of_another")
            switch (state, isOfAnother) {
            case ("running", _): return .held
            case ("completed", true?):
                let id = JobID(try row.decode("id", as: PostgresUUID.self).description)
                return .toldTogether(id, attempt: try row.decode("attempt"))
            default: return .ended
            }
        }
    }

    package func counts(until deadline: ContinuousClock.Instant) async throws(VaultStoreError) -> JobCounts {
        let queries: [SQLQuery] = [
            """
            select knot.clock() as now, d.count, d.oldest, (
                select pg_catalog.count(*) from public.recommendation_jobs s
                where s.state = 'running' and s.lease_until < knot.clock()
            ) as stuck
            from (
                select pg_catalog.count(*), pg_catalog.min(j.run_at) as oldest from public.recommendation_jobs j
                where j.state in ('available', 'retryable') and j.finished_at is null and j.run_at <= knot.clock()
            ) d
            """,
            "select j.state as name, pg_catalog.count(*) from public.recommendation_jobs j group by 1 order by 1",
            """
            select coalesce(j.last_error_code, 'unnamed') as name, pg_catalog.count(*)
            from public.recommendation_jobs j where j.state = 'dead' group by 1 order by 1
            """,
        ]
        return try await read(queries, until: deadline) { rows throws(PostgresError) in
            let row = try rows[0].only()
            let now: Instant = try row.decode("now")
            return JobCounts(
                now: now,
                byState: try Self.counts(rows[1]),
                due: try row.decode("count"),
                oldestDue: try row.decode("oldest", as: Instant?.self).map {
                    .milliseconds(max(0, now.millisecondsSinceEpoch - $0.millisecondsSinceEpoch))
                },
                stuck: try row.decode("stuck"),
                deadByCode: try Self.counts(rows[2])
            )
        }
    }

    /// Puts a job that was put aside back into the queue; false where it is in another state.
    package func retry(
        _ id: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> Bool {
        try await change(
            [QueueNews.statement, "select api.replay(\(id)) as is_done"],
            of: id,
            leaves: ["dead"],
            until: deadline
        )
    }

    /// Ends a job and its notification for good, also one that a worker has; false where it has ended before.
    ///
    /// The notification ends first: what a plan called off comes back when a plan wants it again, and what somebody had
    /// ended before does not.
    package func cancel(
        _ id: PostgresUUID,
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> Bool {
        try await change(
            [
                """
                select api.settle_notification(j.notification_id, 'cancelled') as is_settled
                from public.recommendation_jobs j
                where j.id = \(id) and j.state in ('available', 'retryable', 'running')
                    and j.notification_id is not null
                """,
                "select api.cancel(\(id)) as is_done",
            ],
            of: id,
            leaves: Self.states.filter { $0 != "cancelled" },
            until: deadline
        )
    }

    // MARK: Asking

    private static let selection: SQLQuery = """
        select j.id, j.vault_id, j.milestone_id, j.occurrence_date, j.days_before, j.state, j.run_at, j.attempt,
            j.crash_count, j.claimed_by, j.lease_until, j.finished_at, j.notification_id, j.run_id, j.last_error_class,
            j.last_error_code, j.last_error_detail, m.milestone_type
        from public.recommendation_jobs j
        left join public.partner_milestones m on m.id = j.milestone_id
        """

    private static func record(_ row: Row) throws(PostgresError) -> JobRecord {
        func id(_ column: String) throws(PostgresError) -> String? {
            try row.decode(column, as: PostgresUUID?.self)?.description
        }
        return JobRecord(
            id: JobID(try id("id") ?? ""),
            vault: VaultID(try id("vault_id") ?? ""),
            milestone: MilestoneID(try id("milestone_id") ?? ""),
            occurrence: try row.decode("occurrence_date"),
            daysBefore: try row.decode("days_before"),
            occasion: try row.decode("milestone_type"),
            state: try row.decode("state"),
            dueAt: try row.decode("run_at"),
            attempt: try row.decode("attempt"),
            crashes: try row.decode("crash_count"),
            worker: try id("claimed_by").map { WorkerID($0) },
            leaseUntil: try row.decode("lease_until"),
            finishedAt: try row.decode("finished_at"),
            notification: try id("notification_id").map { NotificationID($0) },
            run: try id("run_id"),
            errorClass: try row.decode("last_error_class"),
            errorCode: try row.decode("last_error_code"),
            errorDetail: try row.decode("last_error_detail")
        )
    }

    private static func counts(_ rows: Rows) throws(PostgresError) -> [String: Int] {
        var counts: [String: Int] = [:]
        for place in 0..<rows.count {
            counts[try rows[place].decode("name", as: String.self)] = try rows[place].decode("count", as: Int.self)
        }
        return counts
    }

    private func read<Value: Sendable>(
        _ queries: [SQLQuery],
        until deadline: ContinuousClock.Instant,
        _ body: ([Rows]) throws(PostgresError) -> Value
    ) async throws(VaultStoreError) -> Value {
        do throws(PostgresError) {
            return try body(try await pool.read(queries, until: deadline))
        } catch {
            throw .database(error)
        }
    }

    /// A change takes the job out of the states that it leaves; where nobody answered the COMMIT, its state tells.
    ///
    /// Done again it would find nothing to do, and look as if it had never been.
    ///
    /// The last statement tells whether it was done.
    private func change(
        _ statements: [SQLQuery],
        of job: PostgresUUID,
        leaves states: [String],
        until deadline: ContinuousClock.Instant
    ) async throws(VaultStoreError) -> Bool {
        do throws(PostgresError) {
            return try await pool.write(until: deadline) { transaction throws(PostgresError) in
                let results = try await transaction.pipeline(statements)
                let isDone = try results[statements.count - 1].only().decode("is_done", as: Bool.self)
                let proof: SQLQuery = """
                    select 1 from public.recommendation_jobs j where j.id = \(job) and j.state <> all (\(states))
                    """
                return isDone ? .written(true, CommitProof(of: true, proof)) : .unwritten(false)
            }
        } catch {
            throw .database(error)
        }
    }
}
