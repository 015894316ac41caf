import Delivery
import JSONDocument
import KnotDomain
import PostgresClient
import Scheduling
import VaultStore
import Worker

/// The statements that look at claimed jobs and at all they depend on, at one moment, and what their rows mean.
struct DueReminderRows {
    private let jobs: [ClaimedReminder]
    private let ids: [PostgresUUID]
    private let tokens: [PostgresUUID]
    private let vaults: [PostgresUUID]

    init(_ jobs: [ClaimedReminder]) throws(PostgresError) {
        self.jobs = jobs
        (ids, tokens) = try PostgresJobQueue.keys(jobs.map(\.claim))
        vaults = Set(jobs.map(\.vault)).compactMap { PostgresUUID($0.text) }.sorted()
    }

    /// The set that was stored for the job `j`, found by its key for each of them: a join is planned by what is common in
    /// the table, and then reads the sets of everybody.
    private static let set: SQLQuery = """
        left join lateral (
            select s.id from public.recommendation_runs s
            where s.vault_id = j.vault_id and s.kind = 'scheduled'
                and s.request = 'm:' || j.milestone_id || ':' || pg_catalog.to_char(j.occurrence_date, 'YYYY-MM-DD')
                    || ':' || j.days_before
            limit 1
        ) r on true
        """

    /// What somebody else has sent or ended of the job `j`, as `ReminderKey` knows it by its moment.
    private static let ended: SQLQuery = """
        select 1 from public.notification_queue o
        where o.milestone_id = j.milestone_id and o.user_id = v.user_id and o.days_before = j.days_before
            and o.status <> 'pending'
            and o.scheduled_for >= (j.occurrence_date - j.days_before - 1)::timestamp at time zone 'UTC'
            and o.scheduled_for < (j.occurrence_date + 2)::timestamp at time zone 'UTC'
            and not exists (select 1 from public.recommendation_jobs k where k.notification_id = o.id)
        """

    /// The jobs, and those that were told of in one notice with them, each once and with its set.
    private var related: SQLQuery {
        """
        from (
            select u.id from pg_catalog.unnest(\(ids)) as u (id)
            union
            select o.id from pg_catalog.unnest(\(ids)) as u (id)
            cross join lateral (
                select o.vault_id, o.notice_id from public.recommendation_jobs o where o.id = u.id limit 1
            ) n
            cross join lateral (
                select o.id from public.recommendation_jobs o
                where o.notice_id = n.notice_id and o.vault_id = n.vault_id
                offset 0
            ) o
        ) a
        cross join lateral (
            select o.id, o.vault_id, o.state, o.lease_until, o.notice_id, o.milestone_id, o.occurrence_date, o.days_before
            from public.recommendation_jobs o where o.id = a.id limit 1
        ) j
        \(fragment: Self.set)
        """
    }

    var statements: [SQLQuery] {
        [
            "select knot.clock() as now",
            """
            select j.id, j.notice_id, v.user_id, n.status is not distinct from 'pending' and not exists (
                    \(fragment: Self.ended)
                ) as is_wanted,
                coalesce(n.scheduled_for, j.run_at) as planned_for, knot.history_of(j.vault_id) as history, r.id as run,
                exists (
                    select 1 from public.recommendation_jobs o where o.notice_id = j.notification_id and o.id <> j.id
                    offset 0
                ) as is_name_taken
            from unnest(\(ids), \(tokens)) as a (id, token)
            cross join lateral (
                select o.id, o.vault_id, o.state, o.claim_token, o.notice_id, o.notification_id, o.milestone_id,
                    o.occurrence_date, o.days_before, o.run_at
                from public.recommendation_jobs o where o.id = a.id limit 1
            ) j
            join public.partner_vaults v on v.id = j.vault_id
            left join public.notification_queue n on n.id = j.notification_id
            \(fragment: Self.set)
            where j.state = 'running' and j.claim_token = a.token
            """,
            """
            select j.id, j.notice_id, j.milestone_id, j.occurrence_date, j.days_before, r.id as run,
                j.state = 'running' and j.lease_until > knot.clock() as is_held
            \(fragment: related)
            where j.notice_id is not null and j.state <> 'cancelled'
            order by j.id
            """,
            """
            select c.run_id, c.id, c.recommendation_type, c.title
            \(fragment: related)
            cross join lateral (
                select o.run_id, o.id, o.recommendation_type, o.title, o.position
                from public.recommendations o where o.run_id = r.id
                offset 0
            ) c
            order by c.run_id, c.position
            """,
            "select d.job_id, d.platform, d.device from api.devices(\(ids), \(tokens)) d",
            """
            select u.id as job_id, k.id as notice_id, k.content
            from pg_catalog.unnest(\(ids)) as u (id)
            cross join lateral (
                select o.vault_id, o.notice_id, o.notification_id from public.recommendation_jobs o
                where o.id = u.id limit 1
            ) j
            cross join lateral (
                select o.id, o.content from public.recommendation_notices o
                where o.vault_id = j.vault_id and o.id in (j.notice_id, j.notification_id)
                offset 0
            ) k
            """,
        ] + PlannedVaultRows.statements(vaults, nil)
    }

    /// The results in the order of the statements.
    func read(_ results: [Rows], zones: any ZoneSource) throws(PostgresError) -> DueReminders {
        let now: Instant = try results[0].only().decode("now")
        let trios = try Self.trios(results[3])
        var devices: [JobID: Notice.Device] = [:]
        for place in 0..<results[4].count {
            let row = results[4][place]
            devices[try Self.job(row, "job_id")] = Notice.Device(
                platform: try row.decode("platform"),
                token: try row.decode("device")
            )
        }
        var companions: [NoticeID: [DueReminder.Companion]] = [:]
        var toldElsewhere: Set<NoticeID> = []
        let claimed = Dictionary(jobs.map { ($0.id, $0) }) { first, _ in first }
        for place in 0..<results[2].count {
            let row = results[2][place]
            guard let notice = try Self.notice(row) else { continue }
            if claimed[try Self.job(row, "id")] == nil, try row.decode("is_held") { toldElsewhere.insert(notice) }
            if let companion = try Self.companion(row, trios) {
                companions[notice, default: []].append(companion)
            }
        }
        var contents: [JobID: [NoticeID: String]] = [:]
        for place in 0..<results[5].count {
            let row = results[5][place]
            guard let notice = try Self.notice(row) else { continue }
            contents[try Self.job(row, "job_id"), default: [:]][notice] = try row.decode("content")
        }
        var people: [VaultID: Result<PlannedVault, VaultStoreError>] = [:]
        for (id, result) in try PlannedVaultRows(Array(results[6...]), zones: zones).read() { people[id] = result }
        var reminders: [JobID: DueReminder] = [:]
        for place in 0..<results[1].count {
            let row = results[1][place]
            let id = try Self.job(row, "id")
            guard let job = claimed[id], let person = people[job.vault] else { continue }
            let user = UserID(try row.decode("user_id", as: PostgresUUID.self).description)
            let notice = try Self.notice(row)
            reminders[id] = DueReminder(
                person: person.map { vault in
                    RemindedPerson(
                        user: user,
                        subject: vault.subject,
                        partnerName: vault.partnerName,
                        device: devices[id]
                    )
                }.mapError { JobFailure(.data, code: "bad_vault", $0.detail, isPermanent: true) },
                plannedFor: try row.decode("planned_for"),
                isWanted: try row.decode("is_wanted"),
                set: try row.decode("run", as: PostgresUUID?.self).flatMap { trios[$0] },
                history: try row.decode("history"),
                notice: notice,
                isNameTaken: try row.decode("is_name_taken"),
                contents: contents[id] ?? [:],
                isToldElsewhere: notice.map(toldElsewhere.contains) ?? false,
                companions: notice.flatMap { companions[$0] }?.filter { $0.job != id } ?? []
            )
        }
        return DueReminders(now: now, reminders: reminders)
    }

    private static func trios(_ rows: Rows) throws(PostgresError) -> [PostgresUUID: StoredTrio] {
        var trios: [PostgresUUID: StoredTrio] = [:]
        for (run, rows) in try rows.grouped(by: "run_id") {
            var choices: [Notice.Choice] = []
            for place in 0..<rows.count {
                let row = rows[place]
                let id = try row.decode("id", as: PostgresUUID.self).description
                choices.append(
                    Notice.Choice(id: id, kind: try row.decode("recommendation_type"), title: try row.decode("title"))
                )
            }
            trios[run] = StoredTrio(run: run.description, choices: choices)
        }
        return trios
    }

    private static func companion(
        _ row: Row,
        _ trios: [PostgresUUID: StoredTrio]
    ) throws(PostgresError) -> DueReminder.Companion? {
        guard let trio = try row.decode("run", as: PostgresUUID?.self).flatMap({ trios[$0] }) else { return nil }
        return DueReminder.Companion(
            job: try job(row, "id"),
            key: ReminderKey(
                milestone: MilestoneID(try row.decode("milestone_id", as: PostgresUUID.self).description),
                occurrence: try row.decode("occurrence_date"),
                daysBefore: Int(try row.decode("days_before", as: Int32.self))
            ),
            set: trio
        )
    }

    private static func notice(_ row: Row) throws(PostgresError) -> NoticeID? {
        try row.decode("notice_id", as: PostgresUUID?.self).map { NoticeID($0.description) }
    }

    private static func job(_ row: Row, _ column: String) throws(PostgresError) -> JobID {
        JobID(try row.decode(column, as: PostgresUUID.self).description)
    }
}
