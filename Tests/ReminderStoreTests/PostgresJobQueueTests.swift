import Delivery
import Foundation
import KnotDomain
import LocalPostgres
import PostgresClient
import ReminderStore
import Scheduling
import TestSupport
import Testing
import Worker
import WorkerScene

/// The queue of the database as a worker has it: what a call does, and what it leaves alone.
@Suite(.tags(.database)) struct PostgresJobQueueTests {
    // MARK: Claims

    @Test(arguments: ["database_too_many_connections", "webhook_breaker_open"])
    func `gives a job back for which nothing was tried, and spends no attempt on it`(code: String) async throws {
        try await QueueWorld.with { world in
            let job = try #require(try await world.claimed(1).first)
            let failure = JobFailure(.platform, code: code, "nothing was tried")
            #expect(try await world.queue.fail(job.claim, failure) == .waits)
            #expect(try await world.column("attempt", of: job.id) == "0")
            #expect(try await world.column("(run_at > knot.clock())", of: job.id) == "true")
            #expect(try await world.queue.fail(job.claim, failure) == .lost)
        }
    }

    @Test func `a claim takes what has been due longest, so many and no more`() async throws {
        try await QueueWorld.with { world in
            let first = try await world.claimed(2)
            #expect(first.count == 2 && first.allSatisfy { $0.attempt == 1 && $0.key.daysBefore == 7 })
            #expect(first.allSatisfy { $0.waited >= .seconds(200) && $0.waited < .seconds(4_000) })
            let left = try await world.claimed()
            #expect(left.count == QueueWorld.people - 2)
            let firstLeft = try #require(left.map(\.waited).max())
            #expect(first.allSatisfy { $0.waited > firstLeft })
            #expect(try await world.claimed().isEmpty)
            #expect(Set((first + left).map(\.claim.token)).count == QueueWorld.people)
        }
    }

    @Test func `what is due of one vault comes together, where the number would cut it apart as well`() async throws {
        try await QueueWorld.with { world in
            try await world.addAnotherDay()
            let jobs = try await world.claimed(3)
            #expect(jobs.count == 4 && Set(jobs.map(\.id)).count == 4 && Set(jobs.map(\.claim.token)).count == 4)
            #expect(Dictionary(grouping: jobs, by: \.vault).values.map(\.count) == [2, 2])
            #expect(try await world.states() == ["available": 6, "running": 4])
            #expect(try await world.claimed(20).count == 6)
        }
    }

    @Test func `of one vault a claim takes a dozen, and what is due of others beside them, however late`() async throws
    {
        try await QueueWorld.with { world in
            let busy = try await world.addManyDays(60)
            let first = try await world.claimed(20)
            #expect(Dictionary(grouping: first, by: \.vault)[busy]?.count == 12)
            #expect(Set(first.map(\.vault)).count == QueueWorld.people && first.count == QueueWorld.people + 11)
            // The vault's next dozen comes when the first has ended, to whomever.
            #expect(try await world.claimed(20).isEmpty)
            for job in first { #expect(try await world.queue.cancel(job.claim, code: "day_changed")) }
            let next = try await world.claimed(1)
            #expect(next.count == 12 && next.allSatisfy { $0.vault == busy })
            try await world.expire(next)
            _ = try await world.queue.rescue(100)
            #expect(try await world.claimed(20).allSatisfy { $0.vault == busy && $0.crashes == 0 })
        }
    }

    @Test func `with a job that is asked for comes a dozen of its vault`() async throws {
        try await QueueWorld.with { world in
            let busy = try await world.addManyDays(60)
            let text = try await world.value(
                "select notification_id from public.recommendation_jobs where vault_id = '\(busy)' order by id limit 1"
            )
            let notification = NotificationID(try #require(text))
            let jobs = try await world.queue.claim(notification, by: .random, lease: .seconds(60))
            #expect(jobs.count == 12 && jobs.first?.notification == notification)
            #expect(jobs.allSatisfy { $0.vault == busy })
        }
    }

    @Test func `of claims at one moment no two have a job in common`() async throws {
        try await QueueWorld.with { world in
            let queue = world.queue
            let claims = await withTaskGroup(of: [ClaimedReminder]?.self) { group in
                for _ in 0..<12 {
                    group.addTask { try? await queue.claim(1, by: .random, lease: .seconds(60)) }
                }
                return await group.reduce(into: [[ClaimedReminder]?]()) { $0.append($1) }
            }
            #expect(!claims.contains { $0 == nil })
            let jobs = claims.compactMap(\.self).flatMap(\.self)
            #expect(Set(jobs.map(\.id)).count == jobs.count)
            let states = try await world.states()
            #expect(states["running"] == jobs.count)
        }
    }

    @Test func `the job of a notification is taken before it is due, by one only`() async throws {
        try await QueueWorld.with { world in
            try await world.sql("update public.recommendation_jobs set run_at = run_at + interval '1 day'")
            #expect(try await world.claimed().isEmpty)
            let text = try await world.value(
                "select notification_id from public.recommendation_jobs order by id limit 1"
            )
            let notification = NotificationID(try #require(text))
            let uuid = try #require(PostgresUUID(notification.description))
            let jobs = try await world.queue.claim(notification, by: .random, lease: .seconds(60))
            #expect(jobs.map(\.notification) == [notification] && jobs.map(\.waited) == [.zero])
            #expect(try await world.queue.claim(notification, by: .random, lease: .seconds(60)).isEmpty)
            #expect(try await world.ledger.standing(of: uuid, until: world.soon) == .held)
        }
    }

    // MARK: The fence

    @Test func `under an old token nothing is lengthened, begun, ended, failed, given back or called off`() async throws
    {
        try await QueueWorld.with { world in
            let held = try await world.claimed(1)
            let job = try #require(try await world.stale(held).first)
            let before = try await world.sql("select * from public.recommendation_jobs order by id")
            #expect(try await world.queue.renew([job.claim], lease: .seconds(600)).isEmpty)
            #expect(try await world.queue.look(at: [job]).reminders.isEmpty)
            #expect(try await world.queue.begin(world.notices([job])).isEmpty)
            #expect(try await world.queue.finish(try await world.delivered([job])).isEmpty)
            let failure = JobFailure(.data, code: "bad_vault", "mend it", isPermanent: true)
            #expect(try await world.queue.fail(job.claim, failure) == .lost)
            #expect(try await world.queue.snooze(job.claim, until: WorkerScene.noon) == false)
            #expect(try await world.queue.cancel(job.claim, code: "day_changed") == false)
            let after = try await world.sql("select * from public.recommendation_jobs order by id")
            #expect(after == before)
            #expect(try await world.notifications("pending") == QueueWorld.people)
        }
    }

    @Test func `what is held is lengthened, and what is not is missing in the answer`() async throws {
        try await QueueWorld.with { world in
            let jobs = try await world.claimed(3)
            try await world.sql(
                "update public.recommendation_jobs set claim_token = gen_random_uuid() where id = '\(jobs[1].id)'"
            )
            let kept = try await world.queue.renew(jobs.map(\.claim), lease: .seconds(600))
            #expect(kept == [jobs[0].id, jobs[2].id])
            let left = try await world.value(
                "select min(lease_until - knot.clock()) > interval '9 minutes' from public.recommendation_jobs "
                    + "where id in ('\(jobs[0].id)', '\(jobs[2].id)')"
            )
            #expect(left == "t")
        }
    }

    // MARK: Rescue

    @Test func `only those are taken back whose lease is over, and their attempt and their crash count`() async throws {
        try await QueueWorld.with { world in
            let jobs = try await world.claimed(3)
            try await world.expire(Array(jobs.prefix(2)))
            _ = try await world.queue.renew([jobs[1].claim], lease: .seconds(60))
            #expect(try await world.queue.rescue(100) == RescuedJobs(waiting: 1, dead: 0))
            #expect(try await world.column("state", of: jobs[0].id) == "retryable")
            #expect(try await world.column("crash_count", of: jobs[0].id) == "1")
            #expect(try await world.column("attempt", of: jobs[0].id) == "1")
            #expect(try await world.column("state", of: jobs[1].id) == "running")
            #expect(try await world.column("state", of: jobs[2].id) == "running")
            #expect(try await world.queue.rescue(100) == RescuedJobs(waiting: 0, dead: 0))
        }
    }

    @Test func `two who take back at one moment take each job back once`() async throws {
        try await QueueWorld.with { world in
            let jobs = try await world.claimed()
            try await world.expire(jobs)
            let queue = world.queue
            let found = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<6 { group.addTask { (try? await queue.rescue(2).waiting) ?? -100 } }
                return await group.reduce(0, +)
            }
            #expect(found == QueueWorld.people)
            #expect(try await world.value("select max(crash_count) from public.recommendation_jobs") == "1")
        }
    }

    @Test func `a worker that goes gives back its own jobs and nobody else's`() async throws {
        try await QueueWorld.with { world in
            let (going, staying) = (WorkerID.random, WorkerID.random)
            let mine = try await world.claimed(2, by: going)
            let others = try await world.claimed(2, by: staying)
            #expect(try await world.queue.release(going) == 2)
            for job in mine { #expect(try await world.column("state", of: job.id) != "running") }
            for job in others { #expect(try await world.column("state", of: job.id) == "running") }
            #expect(try await world.queue.release(going) == 0)
        }
    }

    // MARK: Batches

    @Test func `of notices that begin together those do of which every job is held`() async throws {
        try await QueueWorld.with { world in
            let jobs = try await world.claimed(3)
            try await world.sql(
                "update public.recommendation_jobs set claim_token = gen_random_uuid() where id = '\(jobs[1].id)'"
            )
            let notices = world.notices(jobs)
            #expect(try await world.queue.begin(notices) == [notices[0].id, notices[2].id])
            #expect(try await world.column("notice_id", of: jobs[1].id) == nil)
            // Once more, as after an answer that never came.
            #expect(try await world.queue.begin(notices) == [notices[0].id, notices[2].id])
            #expect(try await world.queue.begin([]).isEmpty)
        }
    }

    @Test func `a notice may have a name of its own, and none that is another vault's`() async throws {
        try await QueueWorld.with { world in
            let jobs = try await world.claimed(2)
            func begin(_ name: String, _ job: ClaimedReminder) async throws -> Bool {
                try await !world.queue.begin([NoticeOfJobs(id: NoticeID(name), jobs: [job.claim], content: "{}")])
                    .isEmpty
            }
            let own = PostgresUUID.random().description
            let theirs = try #require(jobs[1].notification).description
            #expect(try await !begin(theirs, jobs[0]))
            #expect(try await begin(own, jobs[0]))
            #expect(try await world.column("notice_id", of: jobs[0].id) == own)
            #expect(try await !begin(own, jobs[1]), "another vault's")
            // What was told of under a name comes back under it, or under one that nobody has.
            let first = try #require(jobs[0].notification).description
            #expect(try await !begin(first, jobs[0]))
            #expect(try await begin(PostgresUUID.random().description, jobs[0]))
        }
    }

    @Test func `under one name of a vault one thing is said, and another vault's rows are its own`() async throws {
        try await QueueWorld.with { world in
            let jobs = try await world.claimed(2)
            func begin(_ name: NoticeID, _ job: ClaimedReminder, _ content: String) async throws -> Bool {
                try await !world.queue.begin([NoticeOfJobs(id: name, jobs: [job.claim], content: content)]).isEmpty
            }
            let names = try jobs.map { NoticeID(try #require($0.notification).description) }
            // Another vault has a row under this name.
            try await world.sql(
                """
                insert into public.recommendation_notices (vault_id, id, content)
                values ('\(jobs[1].vault)', '\(names[0])', 'squatted')
                """
            )
            #expect(try await begin(names[0], jobs[0], "{\"a\": 1}"))
            #expect(try await begin(names[0], jobs[0], "{\"a\": 1}"))
            #expect(try await !begin(names[0], jobs[0], "{\"a\":1}"))
            #expect(try await begin(names[1], jobs[1], "{}"))
            let kept = try await world.value(
                "select content from public.recommendation_notices where vault_id = '\(jobs[0].vault)'"
            )
            #expect(kept == "{\"a\": 1}")
            let due = try await world.queue.look(at: jobs)
            #expect(due.reminders[jobs[0].id]?.contents == [names[0]: "{\"a\": 1}"])
            // A month later it goes with the next one of its vault.
            try await world.sql(
                "update public.recommendation_notices set begun_at = knot.clock() - interval '31 days' where content <> '{}'"
            )
            #expect(try await begin(names[1], jobs[1], "{}"))
            #expect(try await world.value("select count(*) from public.recommendation_notices") == "2")
        }
    }

    @Test func `notices that end together end each for itself, with their notifications`() async throws {
        try await QueueWorld.with { world in
            let jobs = try await world.claimed(4)
            _ = try await world.queue.begin(world.notices(jobs))
            let told = try await world.delivered(jobs)
            try await world.sql(
                "update public.recommendation_jobs set claim_token = gen_random_uuid() where id = '\(jobs[2].id)'"
            )
            let ended = try await world.queue.finish(told)
            #expect(ended == Set([told[0].id, told[1].id, told[3].id]))
            #expect(try await world.states() == ["completed": 3, "running": 1, "available": 1])
            #expect(try await world.notifications("sent") == 3)
            // What has ended is not ended again.
            #expect(try await world.queue.finish([told[0]]).isEmpty)
        }
    }

    @Test func `a failure waits or is the end, as it says`() async throws {
        try await QueueWorld.with { world in
            let jobs = try await world.claimed(2)
            let later = JobFailure(.provider, code: "apns_429", "too many", after: .seconds(300))
            #expect(try await world.queue.fail(jobs[0].claim, later) == .waits)
            let wait = try await world.column("extract(epoch from run_at - knot.clock())", of: jobs[0].id)
            #expect((wait.flatMap(Double.init) ?? 0) > 290)
            let final = JobFailure(.data, code: "bad_vault", "mend it", isPermanent: true)
            #expect(try await world.queue.fail(jobs[1].claim, final) == .dead)
            #expect(try await world.notifications("failed") == 1)
        }
    }

    // MARK: Lines that break

    @Test(arguments: [WireProxy.Fault.cutBeforeCommit, .cutAfterCommit])
    func `of a COMMIT that nobody answered the queue says what became of it`(fault: WireProxy.Fault) async throws {
        try await QueueWorld.with { world in
            let proxy = try WireProxy(to: world.database.server.running.socketFolder + "/.s.PGSQL.5432")
            let url = proxy.url(database: world.database.name, user: "knot_worker")
            let scene = try WorkerScene(url: url, connections: 1)
            proxy.breakLine(fault)
            let jobs = try await scene.queue.claim(2, by: .random, lease: .seconds(60))
            #expect(jobs.count == 2)
            for job in jobs { #expect(try await world.column("claim_token", of: job.id) == job.claim.token) }
            proxy.breakLine(fault)
            #expect(try await scene.queue.begin(world.notices(jobs)).count == 2)
            let told = try await world.delivered(jobs)
            proxy.breakLine(fault)
            #expect(try await scene.queue.finish(told).count == 2)
            #expect(try await world.notifications("sent") == 2)
            let third = try #require(try await scene.queue.claim(1, by: .random, lease: .seconds(60)).first)
            proxy.breakLine(fault)
            let failure = JobFailure(.data, code: "bad_vault", "mend it", isPermanent: true)
            #expect(try await scene.queue.fail(third.claim, failure) == .dead)
            let fourth = try #require(try await scene.queue.claim(1, by: .random, lease: .seconds(60)).first)
            proxy.breakLine(fault)
            #expect(try await scene.queue.cancel(fourth.claim, code: "day_changed"))
            #expect(try await world.column("last_error_code", of: fourth.id) == "day_changed")
            await scene.pool.close()
        }
    }

    // MARK: Rights

    @Test(arguments: ["authenticated", "anon", "knot_person"])
    func `whoever is no worker is refused for good, and changes nothing`(role: String) async throws {
        try await QueueWorld.with { world in
            // A login of the test's own, since roles are those of the whole server.
            let login = "reminder_store_\(role)_\(UInt32.random(in: 0 ... .max))"
            try await world.sql("create role \(login) login in role \(role)")
            let scene = try WorkerScene(url: world.database.url(user: login), connections: 1)
            for call in ["claim", "rescue", "release"] {
                let error = await #expect(throws: JobQueueError.self, "\(call)") {
                    switch call {
                    case "claim": _ = try await scene.queue.claim(1, by: .random, lease: .seconds(60))
                    case "rescue": _ = try await scene.queue.rescue(10)
                    default: _ = try await scene.queue.release(.random)
                    }
                }
                #expect(error?.kind == .permanent, "\(call): \(error.map(\.description) ?? "no error")")
            }
            await scene.pool.close()
            try await world.sql("drop role \(login)")
            #expect(try await world.states() == ["available": QueueWorld.people])
        }
    }

    @Test func `ids that are none are refused before anybody is asked`() async throws {
        try await QueueWorld.with { world in
            let error = await #expect(throws: JobQueueError.self) {
                try await world.queue.claim(1, by: WorkerID("me"), lease: .seconds(60))
            }
            #expect(error?.kind == .permanent && error?.code == "no_uuid")
        }
    }
}
