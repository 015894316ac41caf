import KnotDomain
import LocalPostgres
import PostgresClient
import Scheduling
import TestSupport
import Testing
import VaultStore
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

    /// Completes the birthday's reminder 14 days ahead for each person; returns the day after that.
    private static func told(_ world: QueueWorld) async throws -> Instant {
        try await world.sql("delete from public.recommendation_jobs; delete from public.notification_queue")
        try await world.sql(
            """
            select api.enqueue(
                array_agg(m.id), array_agg(date '\(WorkerScene.birthday)'), array_agg(14), array_agg(knot.clock())
            ) from public.partner_milestones m where m.milestone_type = 'birthday'
            """
        )
        let jobs = try await world.claimed(10)
        try #require(jobs.count == QueueWorld.people)
        let notices = try await world.composed(jobs)
        #expect(try await world.queue.begin(notices).count == QueueWorld.people)
        #expect(try await world.queue.finish(try await world.delivered(jobs)).count == QueueWorld.people)
        return Instant(millisecondsSinceEpoch: Int64(WorkerScene.birthday.daysSinceEpoch - 13) * 86_400_000)
    }

    private static let addedAgain = """
        with gone as (delete from public.partner_milestones where milestone_type = 'birthday' returning *)
        insert into public.partner_milestones
            (vault_id, milestone_type, milestone_name, milestone_date, recurrence, budget_tier)
        select vault_id, milestone_type, milestone_name, milestone_date, recurrence, budget_tier from gone
        """

    @Test(arguments: [
        (addedAgain, [7, 3]),
        (addedAgain + "; update public.partner_milestones set milestone_date = milestone_date + 1", [7, 3]),
        (addedAgain + "; update public.partner_milestones set milestone_name = upper(milestone_name)", [7, 3]),
        (addedAgain + "; update public.partner_milestones set milestone_name = 'A day of their own'", [14, 7, 3]),
        (addedAgain + "; update public.partner_milestones set milestone_date = milestone_date + 5", [14, 7, 3]),
    ])
    func `what was sent of a milestone is not sent again when that is deleted and added once more`(
        edit: String,
        expected: [Int]
    ) async throws {
        try await QueueWorld.with { world in
            let now = try await Self.told(world)
            try await world.sql(edit)
            let store = ReminderStore(world.scene.pool)
            let page = try await store.page(after: nil, limit: 100, at: now, until: world.soon)
            #expect(page.count == QueueWorld.people)
            for vault in page {
                let vault = try vault.result.get()
                let birthday = try #require(vault.subject.milestones.first { $0.kind == .birthday }?.id)
                let plan = ReminderPlanner().plan(for: vault.subject, at: now, stored: vault.stored)
                #expect(plan.toStore.filter { $0.key.milestone == birthday }.map(\.key.daysBefore) == expected)
            }
            // A person sees the same.
            let user = try #require(try await world.value("select id from public.users order by id limit 1"))
            let pool = ConnectionPool(
                to: try ConnectionTarget(url: world.database.url),
                PoolSettings(limit: 1),
                as: .person(UserID(user))
            )
            let own = try await ReminderStore(pool).page(after: nil, limit: 2, at: now, until: world.soon)
            await pool.close()
            let vault = try #require(try own.first?.result.get())
            let birthday = try #require(vault.subject.milestones.first { $0.kind == .birthday }?.id)
            let plan = ReminderPlanner().plan(for: vault.subject, at: now, stored: vault.stored)
            #expect(plan.toStore.filter { $0.key.milestone == birthday }.map(\.key.daysBefore) == expected)
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
