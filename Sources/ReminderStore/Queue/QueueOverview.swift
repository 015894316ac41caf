import JSONDocument
import KnotDomain
package import Operations
package import PostgresClient

/// The queue as the operators' page shows it: figures, codes and titles, and no hint, name or day of anybody.
package struct QueueOverview: OverviewSource {
    private let pool: ConnectionPool
    /// What is left of the providers' calls, by name, as this machine knows it.
    private let quotas: @Sendable () async -> [String: OperationsOverview.Quota]
    private static let daysShown = 15
    private static let mostWorkers = 50
    private static let mostFailures = 20
    private static let mostSets = 10

    package init(
        _ pool: ConnectionPool,
        quotas: @escaping @Sendable () async -> [String: OperationsOverview.Quota] = { [:] }
    ) {
        self.pool = pool
        self.quotas = quotas
    }

    package func overview(
        until deadline: ContinuousClock.Instant
    ) async -> Result<OperationsOverview, OverviewFailure> {
        do throws(PostgresError) {
            let first = try await pool.read([Self.moment], until: deadline)[0].only()
            let now: Instant = try first.decode("now")
            let today = CivilDate(daysSinceEpoch: Int(now.secondsSinceEpoch / 86_400))
            let seesWorkers: Bool = try first.decode("sees_workers")
            let seesRuns: Bool = try first.decode("sees_runs")
            let quotas = await quotas()
            let rows = try await pool.read(
                [
                    Self.days(from: today), Self.states, seesWorkers ? Self.workers : Self.anonymousWorkers,
                    Self.failures, Self.sets(seesRuns),
                ] + (seesRuns ? [RunsOverview.providers] : []),
                until: deadline
            )
            return .success(
                OperationsOverview(
                    now: now,
                    days: try Self.days(rows[0], from: today),
                    states: try Self.list(rows[1]) { row throws(PostgresError) in try Self.state(row, now) },
                    workers: try Self.list(rows[2]) { row throws(PostgresError) in try Self.worker(row, now) },
                    failures: try Self.list(rows[3]) { row throws(PostgresError) in try Self.failure(row) },
                    sets: try Self.sets(rows[4]),
                    providers: try RunsOverview.providers(seesRuns ? rows[5] : nil, quotas)
                )
            )
        } catch {
            return .failure(OverviewFailure("The queue cannot be read: \(error)"))
        }
    }
}

extension QueueOverview {
    /// A login with fewer rights than a worker's may not see which worker holds a job.
    private static let moment: SQLQuery = """
        select knot.clock() as now, pg_catalog.has_column_privilege(
            'public.recommendation_jobs', 'claimed_by', 'select'
        ) as sees_workers, pg_catalog.has_column_privilege(
            'public.recommendation_runs', 'timings', 'select'
        ) as sees_runs
        """

    private static func days(from today: CivilDate) -> SQLQuery {
        """
        select (j.run_at at time zone 'UTC')::date as day,
            pg_catalog.count(*) filter (where j.state in ('available', 'retryable', 'running')) as waiting,
            pg_catalog.count(*) filter (where j.state = 'completed') as completed,
            pg_catalog.count(*) filter (where j.state = 'dead') as failed
        from public.recommendation_jobs j
        where j.run_at >= (\(today)::date)::timestamp at time zone 'UTC'
            and j.run_at < (\(today.adding(days: daysShown))::date)::timestamp at time zone 'UTC'
        group by 1
        """
    }

    private static let states: SQLQuery = """
        select j.state, pg_catalog.count(*) as jobs,
            pg_catalog.count(*) filter (where j.state in ('available', 'retryable') and j.run_at <= knot.clock()) as due,
            pg_catalog.min(j.run_at) filter (where j.state in ('available', 'retryable') and j.run_at <= knot.clock())
                as oldest
        from public.recommendation_jobs j group by 1
        order by pg_catalog.array_position(
            array['available', 'running', 'retryable', 'completed', 'cancelled', 'dead'], j.state
        )
        """

    private static let workers: SQLQuery = """
        select j.claimed_by as worker, pg_catalog.count(*) as held,
            pg_catalog.count(*) filter (where j.lease_until < knot.clock()) as overdue,
            pg_catalog.min(j.lease_until) as lease
        from public.recommendation_jobs j where j.state = 'running' and j.lease_until is not null group by 1 order by 2 desc, 1
        limit \(mostWorkers)
        """

    private static let anonymousWorkers: SQLQuery = """
        select null::uuid as worker, pg_catalog.count(*) as held,
            pg_catalog.count(*) filter (where j.lease_until < knot.clock()) as overdue,
            pg_catalog.min(j.lease_until) as lease
        from public.recommendation_jobs j where j.state = 'running' and j.lease_until is not null
        having pg_catalog.count(*) > 0
        """

    private static let failures: SQLQuery = """
        select j.id, j.state, coalesce(j.last_error_code, 'unnamed') as code,
            coalesce(j.last_error_detail, '') as detail, j.attempt, coalesce(j.finished_at, j.run_at) as moment
        from public.recommendation_jobs j
        where j.state = 'dead' or j.state = 'retryable' and j.last_error_code is not null
        order by j.state <> 'dead', 6 desc, 1
        limit \(mostFailures)
        """

    private static func sets(_ seesRuns: Bool) -> SQLQuery {
        let timings: SQLQuery = seesRuns ? "s.timings" : "null::jsonb"
        return """
            select r.id, r.created_at, r.occasion_type, r.outcome, c.title,
                case when c.position is null or c.position = 1 then r.timings end as timings
            from (
                select s.id, s.created_at, s.occasion_type, s.outcome, \(fragment: timings) as timings
                from public.recommendation_runs s order by s.created_at desc, s.id limit \(mostSets)
            ) r
            left join public.recommendations c on c.run_id = r.id
            order by r.created_at desc, r.id, c.position
            """
    }

    private static func list<Value>(
        _ rows: Rows,
        _ read: (Row) throws(PostgresError) -> Value
    ) throws(PostgresError) -> [Value] {
        var values: [Value] = []
        for place in 0..<rows.count { values.append(try read(rows[place])) }
        return values
    }

    /// Every day, those without a job too.
    private static func days(
        _ rows: Rows,
        from today: CivilDate
    ) throws(PostgresError) -> [OperationsOverview.Day] {
        var found: [CivilDate: OperationsOverview.Day] = [:]
        for place in 0..<rows.count {
            let day: CivilDate = try rows[place].decode("day")
            found[day] = OperationsOverview.Day(
                day: day,
                waiting: try rows[place].decode("waiting"),
                completed: try rows[place].decode("completed"),
                failed: try rows[place].decode("failed")
            )
        }
        return (0..<daysShown).map { number in
            let day = today.adding(days: number)
            return found[day] ?? OperationsOverview.Day(day: day, waiting: 0, completed: 0, failed: 0)
        }
    }

    private static func state(_ row: Row, _ now: Instant) throws(PostgresError) -> OperationsOverview.QueueState {
        OperationsOverview.QueueState(
            state: try row.decode("state"),
            jobs: try row.decode("jobs"),
            due: try row.decode("due"),
            oldestDue: try row.decode("oldest", as: Instant?.self).map { span(from: $0, to: now) }
        )
    }

    private static func worker(_ row: Row, _ now: Instant) throws(PostgresError) -> OperationsOverview.Worker {
        OperationsOverview.Worker(
            name: try row.decode("worker", as: PostgresUUID?.self)?.description,
            held: try row.decode("held"),
            overdue: try row.decode("overdue"),
            leaseLeft: span(from: now, to: try row.decode("lease"))
        )
    }

    private static func failure(_ row: Row) throws(PostgresError) -> OperationsOverview.Failure {
        OperationsOverview.Failure(
            job: try row.decode("id", as: PostgresUUID.self).description,
            state: try row.decode("state"),
            code: try row.decode("code"),
            detail: try row.decode("detail"),
            attempts: try row.decode("attempt"),
            at: try row.decode("moment")
        )
    }

    /// Rows of one set follow one another.
    private static func sets(_ rows: Rows) throws(PostgresError) -> [OperationsOverview.StoredSet] {
        var sets: [OperationsOverview.StoredSet] = []
        var last: PostgresUUID?
        for place in 0..<rows.count {
            let id: PostgresUUID = try rows[place].decode("id")
            let title = try rows[place].decode("title", as: String?.self)
            let begun = id == last ? sets.removeLast() : nil
            let timings = try rows[place].decode("timings", as: JSONValue?.self)
            sets.append(
                OperationsOverview.StoredSet(
                    at: try rows[place].decode("created_at"),
                    occasion: try rows[place].decode("occasion_type"),
                    outcome: try rows[place].decode("outcome"),
                    titles: (begun?.titles ?? []) + [title].compactMap(\.self),
                    nodes: begun?.nodes ?? RunsOverview.nodes(timings)
                )
            )
            last = id
        }
        return sets
    }

    private static func span(from start: Instant, to end: Instant) -> Duration {
        .milliseconds(end.millisecondsSinceEpoch - start.millisecondsSinceEpoch)
    }
}
