import KnotDomain
import LocalPostgres
import PostgresClient
import ReminderStore
import Scheduling
import TestSupport
import Testing
import VaultStore
import Worker
import WorkerScene

/// The queue as an operator sees and mends it.
@Suite(.tags(.database)) struct JobLedgerTests {
    private func id(_ job: JobID) throws -> PostgresUUID { try #require(PostgresUUID(job.description)) }

    @Test func `pages follow one another by when jobs are due, and miss and repeat nothing`() async throws {
        try await QueueWorld.with { world in
            var seen: [JobRecord] = []
            var last: PostgresUUID?
            while true {
                let page = try await world.ledger.page(
                    of: ["available"],
                    vault: nil,
                    after: last,
                    limit: 2,
                    until: world.soon
                )
                if page.isEmpty { break }
                seen += page
                let end = try #require(page.last)
                last = try id(end.id)
            }
            #expect(seen.count == QueueWorld.people && Set(seen.map(\.id)).count == seen.count)
            #expect(seen.map(\.dueAt) == seen.map(\.dueAt).sorted())
            #expect(seen.allSatisfy { $0.occasion == "birthday" && $0.daysBefore == 7 && $0.worker == nil })
            let vault = try #require(seen.first?.vault)
            let own = try await world.ledger.page(
                of: JobLedger.states,
                vault: PostgresUUID(vault.text),
                after: nil,
                limit: 10,
                until: world.soon
            )
            #expect(own.map(\.vault) == [vault])
        }
    }

    @Test func `figures say what is due, since when, and what nobody holds any more`() async throws {
        try await QueueWorld.with { world in
            let jobs = try await world.claimed(3)
            try await world.expire([jobs[0]])
            let failure = JobFailure(.data, code: "bad_vault", "mend it", isPermanent: true)
            _ = try await world.queue.fail(jobs[1].claim, failure)
            let counts = try await world.ledger.counts(until: world.soon)
            #expect(counts.byState == ["available": 2, "running": 2, "dead": 1])
            #expect(counts.due == 2 && counts.stuck == 1 && counts.deadByCode == ["bad_vault": 1])
            #expect((counts.oldestDue ?? .zero) > .seconds(100))
        }
    }

    @Test func `only what was put aside is tried again`() async throws {
        try await QueueWorld.with { world in
            let job = try #require(try await world.claimed(1).first)
            #expect(try await world.ledger.retry(try id(job.id), until: world.soon) == false)
            let failure = JobFailure(.data, code: "bad_vault", "mend it", isPermanent: true)
            _ = try await world.queue.fail(job.claim, failure)
            #expect(try await world.ledger.retry(try id(job.id), until: world.soon))
            let now = try await world.ledger.job(try id(job.id), until: world.soon)
            #expect(now?.state == "available" && now?.attempt == 0)
            #expect(try await world.ledger.retry(try id(job.id), until: world.soon) == false)
        }
    }

    @Test func `what is called off leaves its worker without a lease`() async throws {
        try await QueueWorld.with { world in
            let job = try #require(try await world.claimed(1).first)
            #expect(try await world.ledger.cancel(try id(job.id), until: world.soon))
            #expect(try await world.queue.renew([job.claim], lease: .seconds(60)).isEmpty)
            #expect(try await world.notifications("cancelled") == 1)
            #expect(try await world.ledger.cancel(try id(job.id), until: world.soon) == false)
        }
    }

    @Test func `what an operator calls off stays off, however often it is planned`() async throws {
        try await QueueWorld.with { world in
            let jobs = try await world.ledger.page(
                of: ["available"],
                vault: nil,
                after: nil,
                limit: 2,
                until: world.soon
            )
            let plan = """
                select e.outcome from public.recommendation_jobs j cross join lateral api.enqueue(
                    array[j.milestone_id], array[j.occurrence_date], array[j.days_before::integer], array[j.run_at]
                ) e where j.id =
                """
            #expect(try await world.ledger.cancel(try id(jobs[0].id), until: world.soon))
            #expect(try await world.sql("\(plan) '\(jobs[0].id)'") == [["kept"]])
            #expect(try await world.column("state", of: jobs[0].id) == "cancelled")
            #expect(try await world.notifications("cancelled") == 1)
            // What a plan itself has called off is wanted again.
            try await world.sql("select api.cancel('\(jobs[1].id)')")
            #expect(try await world.sql("\(plan) '\(jobs[1].id)'") == [["new"]])
        }
    }

    /// Done again it would find nothing to do: the operator would be told that somebody else was faster.
    @Test(arguments: [WireProxy.Fault.cutBeforeCommit, .cutAfterCommit])
    func `of a COMMIT that nobody answered an operator is told what stands`(fault: WireProxy.Fault) async throws {
        try await QueueWorld.with { world in
            let proxy = try WireProxy(to: world.database.server.running.socketFolder + "/.s.PGSQL.5432")
            let url = proxy.url(database: world.database.name, user: "knot_worker")
            let scene = try WorkerScene(url: url, connections: 1)
            let ledger = JobLedger(scene.pool)
            let jobs = try await world.claimed(2)
            let failure = JobFailure(.data, code: "bad_vault", "mend it", isPermanent: true)
            _ = try await world.queue.fail(jobs[0].claim, failure)
            proxy.breakLine(fault)
            #expect(try await ledger.retry(try id(jobs[0].id), until: world.soon))
            #expect(try await world.column("state", of: jobs[0].id) == "available")
            proxy.breakLine(fault)
            #expect(try await ledger.cancel(try id(jobs[1].id), until: world.soon))
            #expect(try await world.column("state", of: jobs[1].id) == "cancelled")
            await scene.pool.close()
        }
    }
}
