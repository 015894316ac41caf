import KnotDomain
import LocalPostgres
import PostgresClient
import Scheduling
import TestSupport
import Testing
import WorkerScene

@testable import ReminderStore

@Suite(.tags(.database)) struct PlannedVaultTests {
    private static let now = Instant(
        millisecondsSinceEpoch: Int64(WorkerScene.birthday.daysSinceEpoch - 7) * 86_400_000
    )

    /// A server returns rows in the order of its plan unless the statement asks for one.
    @Test(arguments: ["hashjoin", "nestloop", "mergejoin"])
    func `reads every vault beside notifications that ended without a job, however the server joins`(
        other: String
    ) async throws {
        try await QueueWorld.with { world in
            try await world.addAnotherDay()
            try await world.sql("delete from public.recommendation_jobs")
            try await world.sql("delete from public.notification_queue")
            // Two days of each person, one person after another: no join finds the rows of a vault together.
            for (number, days) in [14, 7, 3].enumerated() {
                try await world.sql(
                    """
                    insert into public.notification_queue (user_id, milestone_id, days_before, scheduled_for, status)
                    select v.user_id, m.id, \(days),
                        timestamptz '\(WorkerScene.birthday) 12:00Z' - interval '\(days) days', 'sent'
                    from public.partner_milestones m join public.partner_vaults v on v.id = m.vault_id
                    where m.milestone_type = 'birthday' or m.milestone_name = 'Another day' order by md5(m.id::text || '\(number)')
                    """
                )
            }
            let others = ["hashjoin", "nestloop", "mergejoin"].filter { $0 != other }
            for join in others {
                try await world.sql(
                    "do $$begin execute format('alter database %I set enable_\(join) = off', current_database()); end$$"
                )
            }
            let scene = try WorkerScene(url: world.database.url(user: "knot_worker"))
            let page = try await ReminderStore(scene.pool).page(after: nil, limit: 100, at: Self.now, until: world.soon)
            await scene.pool.close()
            #expect(page.count == QueueWorld.people)
            for vault in page { #expect(try vault.result.get().stored.count == 6) }
        }
    }

    @Test(arguments: [WireProxy.Fault.cutBeforeCommit, .cutAfterCommit])
    func `counts what a plan stored, also where the answer to its COMMIT was cut`(fault: WireProxy.Fault) async throws {
        try await QueueWorld.with { world in
            try await world.sql("delete from public.recommendation_jobs")
            try await world.sql("delete from public.notification_queue")
            let proxy = try WireProxy(to: world.database.server.running.socketFolder + "/.s.PGSQL.5432")
            let target = try ConnectionTarget(url: proxy.url(database: world.database.name, user: "knot_worker"))
            let pool = ConnectionPool(to: target, PoolSettings(limit: 1))
            let store = ReminderStore(pool)
            let page = try await store.page(after: nil, limit: 1, at: Self.now, until: world.soon)
            let vault = try #require(try page.first?.result.get())
            let plan = ReminderPlanner().plan(for: vault.subject, at: Self.now, stored: vault.stored)
            try #require(plan.toStore.count > 1)
            proxy.breakLine(fault)
            let stored = try await store.store(plan, until: world.soon)
            #expect(stored.new == plan.toStore.count && stored.unchanged == 0)
            let jobs = try await world.value("select count(*) from public.recommendation_jobs")
            #expect(jobs == String(plan.toStore.count))
            await pool.close()
        }
    }

    @Test func `takes the queue's clock`() async throws {
        try await QueueWorld.with { world in
            let now = try await ReminderStore(world.scene.pool).now(until: world.soon)
            // Scenes live in May 2026.
            #expect(abs(now.secondsSinceEpoch - WorkerScene.noon.secondsSinceEpoch) < 86_400)
        }
    }

    @Test func `orders the rows of each statement that it groups by vault`() throws {
        let day = WorkerScene.birthday
        for stored in [PlannedVaultRows.Stored.notifications(from: day), .jobs(from: day)] {
            for statement in PlannedVaultRows.statements([], stored).dropFirst() {
                #expect(statement.text.contains(/order by \w\.vault_id,[^)]*$/), "\(statement.text)")
            }
        }
    }
}
