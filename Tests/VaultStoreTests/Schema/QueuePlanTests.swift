import TestSupport
import Testing

/// What the queue's functions read, where the server's statistics are from before: planned once and by indexes, as workers do.
@Suite("By a plan from before", .onOwnThreads, .tags(.database)) struct QueuePlanTests {
    private static let worker = "00000000-0000-4000-8000-00000000000a"
    private static let people = 300

    /// A queue that was analyzed while all its jobs were waiting, and a worker's session.
    private static func withQueue(_ body: (_ worker: SchemaSession) async throws -> Void) async throws {
        try await SchemaDatabase.with { database in
            let owner = try database.connect()
            try await owner.run(script: SchemaSeed.script(people: 1...people))
            try await owner.run(script: "vacuum analyze public.recommendation_jobs, public.notification_queue")
            let worker = try database.connect(as: "knot_worker")
            try await worker.run(script: "set plan_cache_mode = force_generic_plan; set enable_seqscan = off")
            try await body(worker)
        }
    }

    /// How many jobs a statement fetched, which is undone.
    private static func fetched(_ worker: SchemaSession, by statement: String) async throws -> (rows: Int, jobs: Int) {
        // Of the session, as far as it has not been handed over.
        let count = """
            select s.idx_tup_fetch + s.seq_tup_read from pg_stat_xact_user_tables s
            where s.relid = 'public.recommendation_jobs'::regclass
            """
        try await worker.run(script: "begin")
        let before = try #require(Int(try await worker.value(count) ?? ""))
        let rows = try await worker.rows(statement).count
        let after = try #require(Int(try await worker.value(count) ?? ""))
        try await worker.run(script: "rollback")
        return (rows, after - before)
    }

    @Test func `held jobs are found by their keys, however many run by now`() async throws {
        try await Self.withQueue { worker in
            let claimed = try await worker.rows(
                "select job_id, claim_token, notification_id from api.claim_jobs('\(Self.worker)', 280)"
            )
            try #require(claimed.count == 280)
            func list(_ column: Int) -> String {
                "'{\(claimed.prefix(10).map { $0[column] ?? "" }.joined(separator: ","))}'::uuid[]"
            }
            let (jobs, tokens, notices) = (list(0), list(1), list(2))
            let contents = "array_fill('{}'::text, array[10])"
            let begin = "select * from api.begin_notices(\(notices), \(jobs), \(tokens), \(notices), \(contents))"
            let none = "array_fill(null::uuid, array[10])"
            for (statement, rows) in [
                ("select * from api.renew(\(jobs), \(tokens))", 10),
                ("select * from api.devices(\(jobs), \(tokens))", nil),
                (begin, 10),
                (
                    """
                    select f.* from (\(begin) offset 0) b (id)
                    cross join lateral api.finish_notices(
                        array[b.id], array[(\(jobs))[array_position(\(notices), b.id)]],
                        array[(\(tokens))[array_position(\(notices), b.id)]], array[null::uuid]
                    ) f
                    """, 10
                ),
                ("select * from api.finish_notices(\(notices), \(jobs), \(tokens), \(none))", 0),
                ("select api.complete((\(jobs))[1], (\(tokens))[1])", 1),
                ("select api.snooze((\(jobs))[1], (\(tokens))[1], now())", 1),
                ("select api.fail((\(jobs))[1], (\(tokens))[1], 'data', 'x')", 1),
            ] as [(String, Int?)] {
                let found = try await Self.fetched(worker, by: statement)
                if let rows { #expect(found.rows == rows, "\(statement)") }
                #expect((0...100).contains(found.jobs), "\(found.jobs) jobs were read by \(statement)")
            }
        }
    }

    @Test func `a claim reads the jobs that it takes, and not all that wait`() async throws {
        try await Self.withQueue { worker in
            for _ in 1...3 {
                let found = try await Self.fetched(worker, by: "select * from api.claim_jobs('\(Self.worker)', 20)")
                #expect(found.rows == 20 && (0...100).contains(found.jobs), "\(found.jobs) jobs were read")
            }
        }
    }

    @Test func `a worker that stops gives back what it holds without reading all that wait`() async throws {
        try await Self.withQueue { worker in
            #expect(try await worker.rows("select * from api.claim_jobs('\(Self.worker)', 5)").count == 5)
            let found = try await Self.fetched(worker, by: "select api.release('\(Self.worker)')")
            #expect((1...50).contains(found.jobs), "\(found.jobs) jobs were read")
        }
    }
}
