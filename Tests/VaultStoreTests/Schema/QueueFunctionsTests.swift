import TestSupport
import Testing

@testable import VaultStore

/// The queue's laws, by its functions alone.
@Suite(.onOwnThreads, .tags(.database)) struct QueueFunctionsTests {
    private static let worker = "00000000-0000-4000-8000-00000000000a"
    private static let nobody = "00000000-0000-4000-8000-0000000000ff"

    /// A database with as many due jobs as people.
    private static func withJobs(
        _ people: Int,
        on server: ServerVersion = .eighteen,
        _ body: (_ owner: SchemaSession, _ worker: SchemaSession) async throws -> Void
    ) async throws {
        try await SchemaDatabase.with(server) { database in
            let owner = try database.connect()
            try await owner.run(script: SchemaSeed.script(people: 1...people))
            try await body(owner, try database.connect(as: "knot_worker"))
        }
    }

    private static func claim(
        _ session: SchemaSession,
        _ limit: Int = 1,
        seconds: Int = 60
    ) async throws -> [(
        job: String, token: String
    )] {
        try await session.rows("select job_id, claim_token from api.claim_jobs('\(worker)', \(limit), \(seconds))")
            .map { ($0[0] ?? "", $0[1] ?? "") }
    }

    @Test(arguments: ServerVersion.serving)
    func `a job is claimed once and completed once`(on server: ServerVersion) async throws {
        try await Self.withJobs(1, on: server) { owner, worker in
            let claims = try await Self.claim(worker, 5)
            #expect(claims.count == 1)
            #expect(try await Self.claim(worker, 5).isEmpty)
            let (job, token) = claims[0]
            let run = SchemaSeed.run(of: 1).id
            #expect(try await worker.value("select api.complete('\(job)', '\(Self.nobody)', '\(run)')") == "f")
            #expect(try await worker.value("select api.complete('\(job)', '\(token)', '\(run)')") == "t")
            #expect(try await worker.value("select api.complete('\(job)', '\(token)', '\(run)')") == "f")
            let row = try await worker.rows("select state, run_id, claim_token from public.recommendation_jobs")
            #expect(row == [["completed", run, token]])
            #expect(try await owner.value("select status from public.notification_queue") == "pending")
        }
    }

    @Test func `what another holds is skipped and not waited for`() async throws {
        try await Self.withJobs(2) { owner, worker in
            try await owner.run(
                script: "begin; select 1 from public.recommendation_jobs order by id limit 1 for update"
            )
            #expect(try await Self.claim(worker, 5).count == 1)
            try await owner.run(script: "rollback")
            #expect(try await Self.claim(worker, 5).count == 1)
        }
    }

    @Test func `a lease that is lost cannot be renewed, failed or completed`() async throws {
        try await Self.withJobs(1) { owner, worker in
            let (job, token) = try await Self.claim(worker)[0]
            let renew = "select api.renew('{\(job)}', '{\(token)}')"
            #expect(try await worker.value(renew) == job)
            try await owner.run(
                script: "update public.recommendation_jobs set lease_until = now() - interval '1 second'"
            )
            let rescued = try await worker.rows("select state, crash_count from api.rescue()")
            #expect(rescued == [["retryable", "1"]])
            #expect(try await worker.value(renew) == nil)
            #expect(try await worker.value("select api.complete('\(job)', '\(token)')") == "f")
            #expect(try await worker.value("select api.fail('\(job)', '\(token)', 'stage', 'x')") == nil)
        }
    }

    @Test func `the third crash puts a job aside and ends its notification`() async throws {
        try await Self.withJobs(1) { owner, worker in
            for crash in 1...3 {
                try await owner.run(script: "update public.recommendation_jobs set run_at = now() - interval '1 hour'")
                #expect(try await Self.claim(worker).count == 1)
                try await owner.run(
                    script: "update public.recommendation_jobs set lease_until = now() - interval '1 second'"
                )
                let state = try await worker.value("select state from api.rescue()")
                #expect(state == (crash == 3 ? "dead" : "retryable"))
            }
            #expect(try await owner.value("select status from public.notification_queue") == "failed")
            #expect(try await worker.value("select api.replay(id) from public.recommendation_jobs") == "t")
            #expect(try await Self.claim(worker).count == 1)
        }
    }

    @Test func `a failure waits longer each time and the twelfth is the last`() async throws {
        try await Self.withJobs(1) { owner, worker in
            for attempt in 1...12 {
                try await owner.run(script: "update public.recommendation_jobs set run_at = now() - interval '1 hour'")
                let (job, token) = try await Self.claim(worker)[0]
                let state = try await worker.value(
                    "select api.fail('\(job)', '\(token)', 'stage', 'too_late', repeat('x', 500), false, 30)"
                )
                #expect(state == (attempt == 12 ? "dead" : "retryable"))
                let wait = try await owner.value(
                    "select extract(epoch from run_at - now())::integer from public.recommendation_jobs"
                ).flatMap { Int($0) }
                #expect((28...3600).contains(wait ?? -1))
            }
            let kept = try await owner.value("select char_length(last_error_detail) from public.recommendation_jobs")
            #expect(kept == "200")
        }
    }

    @Test func `an outage of a day puts nothing aside, however often it was tried`() async throws {
        try await Self.withJobs(1) { owner, worker in
            func state(afterFailing planned: String) async throws -> String? {
                try await owner.run(
                    script: """
                        update public.recommendation_jobs set run_at = now() - interval '1 hour';
                        update public.notification_queue set scheduled_for = now() - interval '\(planned)'
                        """
                )
                let (job, token) = try await Self.claim(worker)[0]
                return try await worker.value("select api.fail('\(job)', '\(token)', 'provider', 'webhook_status_503')")
            }
            for _ in 1...20 {
                let kept = try await state(afterFailing: "23 hours")
                #expect(kept == "retryable")
            }
            let last = try await state(afterFailing: "25 hours")
            #expect(last == "dead")
        }
    }

    @Test func `a telephone that two persons registered is the one's who did so last`() async throws {
        try await Self.withJobs(3) { owner, worker in
            let users = try await owner.column("select id from public.users order by id")
            func register(_ place: Int, _ token: String) async throws {
                try await owner.run(
                    script: """
                        update public.users set device_token = '\(token)', device_platform = 'ios'
                        where id = '\(users[place])'
                        """
                )
            }
            let claims = try await Self.claim(worker, 3)
            let (jobs, tokens) = (claims.map(\.job), claims.map(\.token))
            func shown() async throws -> [String] {
                try await worker.rows(
                    """
                    select v.user_id, d.device
                    from api.devices('{\(jobs.joined(separator: ","))}', '{\(tokens.joined(separator: ","))}') d
                    join public.recommendation_jobs j on j.id = d.job_id
                    join public.partner_vaults v on v.id = j.vault_id order by 1
                    """
                ).map { row in "\(users.firstIndex(of: row[0] ?? "") ?? -1) \(row[1] ?? "")" }
            }
            try await register(0, "abc")
            try await register(1, "abc")
            try await register(2, "def")
            #expect(try await shown() == ["1 abc", "2 def"])
            try await register(0, "abc")
            #expect(try await shown() == ["0 abc", "2 def"])
            try await owner.run(script: "update public.users set device_token = null where id = '\(users[0])'")
            #expect(try await shown() == ["1 abc", "2 def"])
        }
    }

    @Test func `a permanent failure is not tried again`() async throws {
        try await Self.withJobs(1) { owner, worker in
            let (job, token) = try await Self.claim(worker)[0]
            let state = try await worker.value("select api.fail('\(job)', '\(token)', 'data', 'x', null, true)")
            #expect(state == "dead")
            #expect(try await owner.value("select status from public.notification_queue") == "failed")
        }
    }

    @Test func `what is given back until later costs no attempt, and what is given back at a stop does`() async throws {
        try await Self.withJobs(2) { owner, worker in
            let claims = try await Self.claim(worker, 2)
            let until = "2026-12-01 10:00Z"
            let snoozed = try await worker.value(
                "select api.snooze('\(claims[0].job)', '\(claims[0].token)', '\(until)')"
            )
            #expect(snoozed == "t")
            #expect(try await worker.value("select api.release('\(Self.worker)')") == "1")
            let rows = try await owner.column("select state || attempt from public.recommendation_jobs")
            #expect(rows.sorted() == ["available0", "retryable1"])
        }
    }

    @Test func `a job that is called off ends with its notification and leaves its worker without a lease`()
        async throws
    {
        try await Self.withJobs(1) { owner, worker in
            let (job, token) = try await Self.claim(worker)[0]
            #expect(try await worker.value("select api.cancel('\(job)')") == "t")
            #expect(try await worker.value("select api.complete('\(job)', '\(token)')") == "f")
            #expect(try await owner.value("select status from public.notification_queue") == "cancelled")
        }
    }

    @Test func `a notification ends once`() async throws {
        try await Self.withJobs(1) { owner, worker in
            let notice = SchemaSeed.id(5, of: 1)
            #expect(worker.refusal(of: "select api.settle_notification('\(notice)', 'pending')")?.state == "22023")
            #expect(try await worker.value("select api.settle_notification('\(notice)', 'sent')") == "t")
            #expect(try await worker.value("select api.settle_notification('\(notice)', 'failed')") == "f")
            let ended = try await owner.value("select status || (sent_at is not null) from public.notification_queue")
            #expect(ended == "senttrue")
        }
    }

    @Test func `enqueueing twice makes one job, and one that waits moves with its zone`() async throws {
        try await Self.withJobs(1) { owner, worker in
            func enqueue(_ moment: String, milestone: String = SchemaSeed.id(3, of: 1)) async throws -> String? {
                try await worker.value(
                    "select outcome from api.enqueue('{\(milestone)}', '{2027-05-06}', '{14}', '{\(moment)}')"
                )
            }
            #expect(try await enqueue("2027-04-22 10:00Z") == "new")
            #expect(try await enqueue("2027-04-22 10:00Z") == "kept")
            #expect(try await enqueue("2027-04-22 11:00Z") == "moved")
            #expect(try await enqueue("2027-04-22 11:00Z", milestone: Self.nobody) == "gone")
            let moments = try await owner.rows(
                """
                select j.run_at = '2027-04-22 11:00Z', n.scheduled_for = j.run_at
                from public.recommendation_jobs j join public.notification_queue n on n.id = j.notification_id
                where j.days_before = 14
                """
            )
            #expect(moments == [["t", "t"]])
            #expect(try await owner.value("select count(*) from public.notification_queue") == "2")
        }
    }

    @Test func `a notification that the app queued before is taken over`() async throws {
        try await Self.withJobs(1) { owner, worker in
            try await owner.run(script: "delete from public.recommendation_jobs")
            let notice = try await worker.value(
                "select notification_id from api.enqueue('{\(SchemaSeed.id(3, of: 1))}', '{2026-05-06}', '{7}', '{2026-04-29 10:00Z}')"
            )
            #expect(notice == SchemaSeed.id(5, of: 1))
            #expect(try await owner.value("select count(*) from public.notification_queue") == "1")
        }
    }

    @Test(arguments: [
        "api.claim_jobs('\(worker)', 0)", "api.claim_jobs('\(worker)', 501)", "api.claim_jobs('\(worker)', 1, 0)",
        "api.claim_jobs(null)", "api.rescue(0)", "api.renew('{}', '{}')",
        "api.enqueue('{\(worker)}', '{}', '{7}', '{2026-01-01 10:00Z}')",
    ])
    func `arguments out of their bounds are refused`(call: String) async throws {
        try await SchemaDatabase.with { database in
            let worker = try database.connect(as: "knot_worker")
            #expect(worker.refusal(of: "select * from \(call)")?.state == "22023")
        }
    }

    @Test func `sixteen claimers take each job once`() async throws {
        try await SchemaDatabase.with { database in
            let owner = try database.connect()
            try await owner.run(script: SchemaSeed.script(people: 1...8))
            let taken = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 1...16 {
                    let session = try database.connect(as: "knot_worker")
                    group.addTask { try await Self.claim(session, 4).map(\.job) }
                }
                var all: [String] = []
                for try await jobs in group { all += jobs }
                return all
            }
            #expect(taken.count == 8 && Set(taken).count == 8)
        }
    }
}
