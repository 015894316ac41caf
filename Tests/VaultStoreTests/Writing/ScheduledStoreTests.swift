import InventedSets
import PostgresClient
import Recommendation
import TestSupport
import Testing

@testable import VaultStore

@Suite("Storing a scheduled set", .tags(.database)) struct ScheduledStoreTests {
    private static var limit: ContinuousClock.Instant { LastResort.end }

    /// Puts a job into the queue, claims it as a worker, and runs the body with it.
    private static func withJob(
        _ body: (StoredWorld, ClaimedJob, _ notification: PostgresUUID) async throws -> Void
    ) async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let connection = try await PostgresConnection.connect(
                to: ConnectionTarget(url: database.url(user: "knot_worker"))
            )
            let milestone = try #require(PostgresUUID(world.milestone))
            let occurrence = try #require(world.brief.occurrence)
            _ = try await connection.run(
                "select * from api.enqueue(array[\(milestone)], array[\(occurrence)], array[7], array[now()])"
            )
            let worker = PostgresUUID.random()
            let row = try await connection.run("select * from api.claim_jobs(\(worker))").only()
            let notification = try row.decode("notification_id", as: PostgresUUID.self)
            let job = ClaimedJob(id: try row.decode("job_id"), token: try row.decode("claim_token"))
            try await body(world, job, notification)
            await connection.close()
        }
    }

    @Test func `a lost lease stores nothing`() async throws {
        try await Self.withJob { world, job, _ in
            let lost = ClaimedJob(id: job.id, token: PostgresUUID.random())
            let record = try SetRecord(world.run, world.request("m", kind: .scheduled, job: lost))
            let before = try await world.snapshot()
            let store = try world.store()
            let code = await world.refusal { () async throws(VaultStoreError) in
                try await store.store(record, until: Self.limit)
            }
            #expect(code == .leaseLost)
            #expect(try await world.snapshot() == before)
        }
    }

    @Test func `the job ends with its set, and the notification waits for whoever sends it`() async throws {
        try await Self.withJob { world, job, _ in
            let record = try SetRecord(world.run, world.request("m", kind: .scheduled, job: job))
            let set = try await world.store().store(record, until: Self.limit)
            #expect(set.isNew)
            let run = set.runID
            #expect(
                try await world.count("public.recommendation_jobs where state = 'completed' and run_id = '\(run)'") == 1
            )
            #expect(try await world.count("public.notification_queue where status = 'pending'") == 1)
        }
    }

    @Test func `who has sent it says so in the same transaction`() async throws {
        try await Self.withJob { world, job, notification in
            let sent = ClaimedJob(
                id: job.id,
                token: job.token,
                settlement: ClaimedJob.Settlement(notification: notification, status: .sent)
            )
            let record = try SetRecord(world.run, world.request("m", kind: .scheduled, job: sent))
            #expect(try await world.store().store(record, until: Self.limit).isNew)
            #expect(
                try await world.count("public.notification_queue where status = 'sent' and sent_at is not null") == 1
            )
        }
    }
}
