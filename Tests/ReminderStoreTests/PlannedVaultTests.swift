import KnotDomain
import PostgresClient
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

    @Test func `orders the rows of each statement that it groups by vault`() throws {
        let day = WorkerScene.birthday
        for stored in [PlannedVaultRows.Stored.notifications(from: day), .jobs(from: day)] {
            for statement in PlannedVaultRows.statements([], stored).dropFirst() {
                #expect(statement.text.contains(/order by \w\.vault_id,[^)]*$/), "\(statement.text)")
            }
        }
    }
}
