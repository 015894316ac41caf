import Delivery
import Foundation
import KnotDomain
import Migrations
import PostgresClient
import ReminderStore
import Scheduling
import TestSupport
import Testing
import VaultStore
import Worker
import WorkerScene

extension DatabaseTemplate {
    /// The schema and five people whose birthday is a week ahead.
    fileprivate static let queue = DatabaseTemplate("reminder_store") { url in
        let connection = try await PostgresConnection.connect(to: ConnectionTarget(url: url))
        _ = try await Migrator(connection.forMigrations(until: LastResort.end), engineVersion: "test").migrate()
        await connection.close()
        let fixture = Repository.root.appendingPathComponent("fixtures/vaults/dev-01.json")
        try await WorkerScene.stock(url, people: QueueWorld.people, fixture: [UInt8](Data(contentsOf: fixture)))
    }
}

/// A database with people and due reminders, and its queue as a worker has it.
struct QueueWorld {
    static let people = 5

    let database: TestDatabase
    let scene: WorkerScene

    var queue: PostgresJobQueue { scene.queue }
    var ledger: JobLedger { JobLedger(scene.pool) }
    var soon: ContinuousClock.Instant { LastResort.end }

    /// Runs the body with the birthday's reminder of everybody in the queue, the first due since five minutes, each of the
    /// others a minute later.
    static func with(_ body: (QueueWorld) async throws -> Void) async throws {
        try await withDatabase(.eighteen, .queue) { database in
            let scene = try WorkerScene(url: database.url(user: "knot_worker"))
            let world = QueueWorld(database: database, scene: scene)
            try await world.sql(
                """
                select api.enqueue(
                    array_agg(m.id), array_agg(date '\(WorkerScene.birthday)'), array_agg(7), array_agg(m.moment)
                ) from (
                    select p.id, knot.clock() - interval '6 minutes'
                        + row_number() over (order by p.id) * interval '1 minute' as moment
                    from public.partner_milestones p where p.milestone_type = 'birthday'
                ) m
                """
            )
            let result: Result<Void, any Error>
            do { result = .success(try await body(world)) } catch { result = .failure(error) }
            await scene.pool.close()
            try result.get()
        }
    }

    @discardableResult
    func sql(_ text: String) async throws -> [[String?]] { try await database.run(text) }

    /// Gives each person another reminder that is due with the one they have.
    func addAnotherDay() async throws {
        try await sql(
            """
            insert into public.partner_milestones (
                vault_id, milestone_type, milestone_name, milestone_date, recurrence, budget_tier
            )
            select j.vault_id, 'custom', 'Another day', j.occurrence_date, 'one_time', 'minor_occasion'
            from public.recommendation_jobs j
            """
        )
        try await sql(
            """
            select e.outcome
            from public.recommendation_jobs j
            join public.partner_milestones m on m.vault_id = j.vault_id and m.milestone_name = 'Another day'
            cross join lateral api.enqueue(array[m.id], array[j.occurrence_date], array[7], array[j.run_at]) e
            """
        )
    }

    /// Gives one person so many more reminders, all of them due before those of others.
    func addManyDays(_ count: Int) async throws -> VaultID {
        let vault = try await value("select id from public.partner_vaults order by id limit 1") ?? ""
        try await sql(
            """
            insert into public.partner_milestones (
                vault_id, milestone_type, milestone_name, milestone_date, recurrence, budget_tier
            )
            select '\(vault)', 'custom', 'Day ' || n, date '\(WorkerScene.birthday)', 'one_time', 'minor_occasion'
            from generate_series(1, \(count)) n
            """
        )
        try await sql(
            """
            select api.enqueue(
                array_agg(m.id), array_agg(m.milestone_date), array_agg(7),
                array_agg(knot.clock() - interval '2 hours')
            ) from public.partner_milestones m where m.vault_id = '\(vault)' and m.milestone_name like 'Day %'
            """
        )
        return VaultID(vault)
    }

    func value(_ text: String) async throws -> String? { try await sql(text).first?.first ?? nil }

    func column(_ name: String, of job: JobID) async throws -> String? {
        try await value("select \(name)::text from public.recommendation_jobs where id = '\(job)'")
    }

    /// How many jobs are in each state.
    func states() async throws -> [String: Int] {
        let rows = try await sql("select state, count(*) from public.recommendation_jobs group by 1")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] ?? "", Int($0[1] ?? "") ?? -1) })
    }

    func claimed(_ count: Int = people, by worker: WorkerID = .random) async throws -> [ClaimedReminder] {
        try await queue.claim(count, by: worker, lease: .seconds(60))
    }

    /// As if the leases of these had run out.
    func expire(_ jobs: [ClaimedReminder]) async throws {
        let ids = jobs.map { "'\($0.id)'" }.joined(separator: ", ")
        try await sql(
            "update public.recommendation_jobs set lease_until = knot.clock() - interval '1 s' where id in (\(ids))"
        )
    }

    /// The same jobs under the token of somebody who held them before.
    func stale(_ jobs: [ClaimedReminder]) async throws -> [ClaimedReminder] {
        try await sql("update public.recommendation_jobs set claim_token = gen_random_uuid() where state = 'running'")
        return jobs
    }

    /// A notice of its own for each job, as it is begun.
    func notices(_ jobs: [ClaimedReminder]) -> [NoticeOfJobs] {
        jobs.map { job in
            NoticeOfJobs(id: NoticeID(job.notification?.description ?? ""), jobs: [job.claim], content: "{}")
        }
    }

    /// A notice for each job that tells of its day.
    func composed(_ jobs: [ClaimedReminder]) async throws -> [NoticeOfJobs] {
        let due = try await queue.look(at: jobs)
        return try jobs.map { job in
            let person = try #require(due.reminders[job.id]).person.get()
            let milestone = try #require(person.subject.milestones.first { $0.id == job.key.milestone })
            let notice = Notice(
                id: NoticeID(job.notification?.description ?? ""),
                user: person.user,
                vault: job.vault,
                title: "A day",
                body: "Ideas",
                occasions: [
                    Notice.Occasion(
                        milestone: milestone.id,
                        name: milestone.name,
                        day: job.key.occurrence,
                        daysBefore: job.key.daysBefore,
                        run: job.id.description
                    )
                ],
                choices: [],
                device: nil,
                expires: WorkerScene.noon
            )
            return NoticeOfJobs(id: notice.id, jobs: [job.claim], content: notice.document)
        }
    }

    /// The same as they end.
    ///
    /// No set is stored for these, so that the rule which asks for one is off.
    func delivered(_ jobs: [ClaimedReminder]) async throws -> [DeliveredNotice] {
        try await sql("alter table public.recommendation_jobs disable trigger all")
        return jobs.map { job in
            DeliveredNotice(
                id: NoticeID(job.notification?.description ?? ""),
                told: [ToldReminder(job: job.id, claim: job.claim, run: job.id.description)]
            )
        }
    }

    func notifications(_ status: String) async throws -> Int {
        Int(try await value("select count(*) from public.notification_queue where status = '\(status)'") ?? "") ?? -1
    }
}
