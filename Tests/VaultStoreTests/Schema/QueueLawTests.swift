import TestSupport
import Testing

@testable import VaultStore

/// What the queue promises about notifications, attempts, bounds and locks.
@Suite(.onOwnThreads, .tags(.database)) struct QueueLawTests {
    private static let worker = "00000000-0000-4000-8000-00000000000a"

    /// A database with one due job for each person, seen by its owner and by the worker.
    private static func withJobs(
        _ people: Int = 1,
        _ body: (_ owner: SchemaSession, _ worker: SchemaSession) async throws -> Void
    ) async throws {
        try await SchemaDatabase.with { database in
            let owner = try database.connect()
            try await owner.run(script: SchemaSeed.script(people: 1...people))
            try await body(owner, try database.connect(as: "knot_worker"))
        }
    }

    private static func claim(_ session: SchemaSession) async throws -> (job: String, token: String) {
        let rows = try await session.rows("select job_id, claim_token from api.claim_jobs('\(worker)')")
        let row = try #require(rows.first)
        return (row[0] ?? "", row[1] ?? "")
    }

    /// The state of the one job and of the notification that it has.
    private static func state(_ owner: SchemaSession) async throws -> [[String?]] {
        try await owner.rows(
            """
            select j.state, j.attempt, n.status, n.sent_at is null, n.scheduled_for = j.run_at
            from public.recommendation_jobs j left join public.notification_queue n on n.id = j.notification_id
            """
        )
    }

    private static func enqueue(
        _ session: SchemaSession,
        _ moment: String = "2026-04-29 10:00Z"
    ) async throws -> String? {
        let milestone = SchemaSeed.id(3, of: 1)
        return try await session.value(
            "select outcome from api.enqueue('{\(milestone)}', '{2026-05-06}', '{7}', '{\(moment)}')"
        )
    }

    @Test func `a job that is put back takes its notification along`() async throws {
        try await Self.withJobs { owner, worker in
            let (job, token) = try await Self.claim(worker)
            _ = try await worker.value("select api.fail('\(job)', '\(token)', 'data', 'x', null, true)")
            #expect(try await Self.state(owner) == [["dead", "1", "failed", "t", "f"]])
            #expect(try await worker.value("select api.replay('\(job)')") == "t")
            #expect(try await Self.state(owner) == [["available", "0", "pending", "t", "t"]])
            let again = try await Self.claim(worker)
            #expect(try await worker.value("select api.complete('\(again.job)', '\(again.token)')") == "t")
            let notice = SchemaSeed.id(5, of: 1)
            #expect(try await worker.value("select api.settle_notification('\(notice)', 'sent')") == "t")
        }
    }

    /// One job is another worker's by now, and the other waits without a notice: nothing of the notice can be ended.
    @Test func `a notice of which no job is held has not ended, whoever else was told of in it`() async throws {
        try await Self.withJobs(2) { owner, worker in
            let (job, _) = try await Self.claim(worker)
            let other = try await owner.value("select id from public.recommendation_jobs where state = 'available'")
            let notice = SchemaSeed.id(5, of: 1)
            let ended = try await worker.rows(
                """
                select * from api.finish_notices(
                    '{\(notice),\(notice)}', '{\(job),\(other ?? "")}', array[gen_random_uuid(), null], array[null, null]::uuid[]
                )
                """
            )
            #expect(ended.isEmpty)
            let states = try await owner.column("select state from public.recommendation_jobs order by 1")
            #expect(states == ["available", "running"])
        }
    }

    @Test(arguments: ["sent", "cancelled"])
    func `a job that is put back leaves a notification alone that somebody ended`(status: String) async throws {
        try await Self.withJobs { owner, worker in
            let (job, token) = try await Self.claim(worker)
            try await owner.run(script: "update public.notification_queue set status = '\(status)'")
            _ = try await worker.value("select api.fail('\(job)', '\(token)', 'data', 'x', null, true)")
            #expect(try await worker.value("select api.replay('\(job)')") == "t")
            #expect(try await Self.state(owner).first?[2] == status)
        }
    }

    @Test func `a day that was moved and moved back is reminded of`() async throws {
        try await Self.withJobs { owner, worker in
            for _ in 1...3 {
                let job = try await owner.value("select id from public.recommendation_jobs")
                #expect(try await worker.value("select api.cancel('\(job ?? "")')") == "t")
                #expect(try await Self.state(owner).first?[2] == "cancelled")
                #expect(try await Self.enqueue(worker) == "new")
                #expect(try await Self.enqueue(worker) == "kept")
                #expect(try await Self.state(owner) == [["available", "0", "pending", "t", "t"]])
                #expect(try await owner.value("select count(*) from public.notification_queue") == "1")
            }
            _ = try await Self.claim(worker)
        }
    }

    @Test func `what a person ended is not planned again`() async throws {
        for status in ["sent", "cancelled"] {
            try await Self.withJobs { owner, worker in
                try await owner.run(script: "update public.notification_queue set status = '\(status)'")
                let job = try await owner.value("select id from public.recommendation_jobs")
                #expect(try await worker.value("select api.cancel('\(job ?? "")')") == "t")
                #expect(try await Self.enqueue(worker) == "kept")
                #expect(try await Self.state(owner).first?[2] == status)
            }
        }
    }

    @Test(arguments: ["'whim', 'x'", "null, null", "'', 'Not A Code'", "'stage', repeat('x', 60)"])
    func `a failure is noted whatever it is called`(words: String) async throws {
        try await Self.withJobs { owner, worker in
            let (job, token) = try await Self.claim(worker)
            #expect(try await worker.value("select api.fail('\(job)', '\(token)', \(words))") == "retryable")
            let kept = try await owner.rows("select last_error_class, last_error_code from public.recommendation_jobs")
            #expect(kept.first?[0] == "stage" && kept.first?[1] != nil)
        }
    }

    @Test(arguments: ["infinity", "-infinity", "10000-01-01", "0001-12-31 BC"])
    func `a moment that no calendar has is refused`(moment: String) async throws {
        try await Self.withJobs { owner, worker in
            let (job, token) = try await Self.claim(worker)
            let milestone = SchemaSeed.id(3, of: 1)
            for call in [
                "api.snooze('\(job)', '\(token)', '\(moment)')", "api.snooze('\(job)', '\(token)', null)",
                "api.enqueue('{\(milestone)}', '{2027-05-06}', '{7}', '{\(moment)}')",
                "api.enqueue('{\(milestone)}', '{\(moment)}', '{7}', '{2027-05-06}')",
                "api.enqueue('{\(milestone)}', '{null}', '{7}', '{2027-05-06}')",
                "api.enqueue('{\(milestone)}', '{2027-05-06}', '{7}', '{null}')",
            ] {
                #expect(worker.refusal(of: "select * from \(call)")?.state == "22023", "\(call)")
            }
            #expect(try await owner.value("select state from public.recommendation_jobs") == "running")
            #expect(try await owner.value("select count(*) from public.recommendation_jobs") == "1")
        }
    }

    @Test func `a job that stops its worker every time comes to an end`() async throws {
        try await Self.withJobs { owner, worker in
            for attempt in 1...12 {
                _ = try await Self.claim(worker)
                #expect(try await worker.value("select api.release('\(Self.worker)')") == "1")
                let found = try await owner.rows("select state, attempt, crash_count from public.recommendation_jobs")
                #expect(found == [[attempt == 12 ? "dead" : "retryable", "\(attempt)", "0"]])
            }
            #expect(try await Self.state(owner).first?[2] == "failed")
        }
    }

    @Test func `giving back a job whose lease ran out is a crash, and the third is the last`() async throws {
        try await Self.withJobs { owner, worker in
            for crash in 1...3 {
                try await owner.run(script: "update public.recommendation_jobs set run_at = now() - interval '1 hour'")
                _ = try await Self.claim(worker)
                try await owner.run(
                    script: "update public.recommendation_jobs set lease_until = now() - interval '1 second'"
                )
                #expect(try await worker.value("select api.release('\(Self.worker)')") == "1")
                let found = try await owner.rows("select state, crash_count from public.recommendation_jobs")
                #expect(found == [[crash == 3 ? "dead" : "retryable", "\(crash)"]])
            }
            #expect(try await Self.state(owner).first?[2] == "failed")
        }
    }

    @Test func `the answers come in the order of the questions`() async throws {
        try await Self.withJobs(3) { _, worker in
            let milestones = [3, 1, 2].map { SchemaSeed.id(3, of: $0) }.joined(separator: ",")
            let nobody = "00000000-0000-4000-8000-0000000000ff"
            let rows = try await worker.rows(
                """
                select a.ordinal, a.job_id, a.outcome
                from api.enqueue(
                    '{\(milestones),\(nobody)}', '{2027-05-06,2027-05-06,2026-05-06,2027-05-06}', '{7,14,7,7}',
                    '{2027-05-01 10:00Z,2027-05-01 10:00Z,2026-04-29 10:00Z,2027-05-01 10:00Z}'
                ) a
                """
            )
            #expect(rows.map { [$0[0], $0[2]] } == [["1", "new"], ["2", "new"], ["3", "kept"], ["4", "gone"]])
            for (row, person) in zip(rows, [3, 1, 2]) {
                let job = row[1] ?? ""
                let milestone = try await worker.value(
                    "select milestone_id from public.recommendation_jobs where id = '\(job)'"
                )
                #expect(milestone == SchemaSeed.id(3, of: person))
            }
            #expect(rows.last?[1] == nil)
        }
    }

    @Test func `planners that ask in opposite orders never wait for each other for ever`() async throws {
        try await SchemaDatabase.with { database in
            let owner = try database.connect()
            try await owner.run(script: SchemaSeed.script(people: 1...20))
            let sessions = [try database.connect(as: "knot_worker"), try database.connect(as: "knot_worker")]
            for round in 1...30 {
                let keys = (1...120).map { (SchemaSeed.id(3, of: $0 % 20 + 1), "\(2030 + round)-01-\(10 + $0 % 6)") }
                let outcomes = try await withThrowingTaskGroup(of: Int.self) { group in
                    for (place, session) in sessions.enumerated() {
                        let asked = place == 0 ? keys : keys.reversed()
                        let lists = [
                            asked.map(\.0), asked.map(\.1), asked.map { _ in "7" }, asked.map { "\($0.1) 10:00Z" },
                        ].map { "'{\($0.joined(separator: ","))}'" }.joined(separator: ", ")
                        group.addTask {
                            try await session.rows("select outcome from api.enqueue(\(lists))").count
                        }
                    }
                    var all: [Int] = []
                    for try await count in group { all.append(count) }
                    return all
                }
                #expect(outcomes == [120, 120])
            }
        }
    }
}
