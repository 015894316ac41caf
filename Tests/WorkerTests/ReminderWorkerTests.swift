import Delivery
import Foundation
import KnotDomain
import PostgresClient
import ReminderStore
import TestSupport
import Testing
import WorkerScene

@testable import Worker

/// What a worker makes of due reminders, on a real queue and with a real outbox.
@Suite(.tags(.database)) struct ReminderWorkerTests {
    @Test func `every due reminder has one set and one notice, and ends as sent`() async throws {
        try await WorkerWorld.with { world in
            let delivery = world.delivery
            let summary = try await world.drain(delivery)
            #expect(summary.counts == [.completed: WorkerWorld.people])
            #expect(try await world.states() == ["completed": WorkerWorld.people])
            try await world.expectSound()
            #expect(try world.notices().count == WorkerWorld.people)
            #expect(delivery.handed.values.allSatisfy { $0 == 1 })
            let notice = try #require(delivery.notices.first)
            #expect(notice.title.contains("in 7 days"))
            #expect(notice.choices.count == 3)
            #expect(notice.occasions.map(\.day) == [WorkerScene.birthday])
        }
    }

    @Test func `of eight workers at once each reminder has one set and is handed over once`() async throws {
        try await WorkerWorld.with { world in
            let delivery = world.delivery
            var settings = WorkerSettings.quick
            settings.batch = 2
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { [settings] in try await world.drain(delivery, settings: settings) } }
                try await group.waitForAll()
            }
            try await world.expectSound()
            #expect(delivery.handed.count == WorkerWorld.people)
            #expect(delivery.handed.values.allSatisfy { $0 == 1 })
        }
    }

    @Test func `two reminders of a vault that are due together are one notice, and show no item twice`() async throws {
        try await WorkerWorld.with(people: 2) { world in
            try await world.sql(
                "update public.partner_milestones set milestone_date = '2000-05-12' where milestone_type = 'anniversary'"
            )
            try await world.sql(
                """
                select api.enqueue(array_agg(m.id), array_agg(date '2026-05-12'), array_agg(3), array_agg(knot.clock()))
                from public.partner_milestones m where m.milestone_type = 'anniversary'
                """
            )
            let delivery = world.delivery
            try await world.drain(delivery)
            try await world.expectSound()
            #expect(delivery.notices.count == 2)
            for notice in delivery.notices {
                #expect(notice.occasions.map(\.daysBefore) == [3, 7])
                #expect(notice.title.contains("2 days"))
            }
            #expect(try await world.count("public.recommendation_runs") == 4)
        }
    }

    /// A day's birthday and wedding day, each of which is the major one for one of two people.
    @Test func `what matters most of one day is told of first, and chooses first`() async throws {
        try await WorkerWorld.with(due: [], people: 2) { world in
            try await world.sql(
                """
                update public.partner_milestones set milestone_date = '2000-05-16'
                where milestone_type in ('birthday', 'anniversary');
                update public.partner_milestones m set budget_tier = case
                    when (m.milestone_type = 'birthday') = (m.vault_id = (select min(id::text)::uuid from public.partner_vaults))
                    then 'major_milestone' else 'minor_occasion' end
                """
            )
            try await world.enqueue(7)
            try await world.enqueue(7, milestone: "anniversary")
            let delivery = world.delivery
            try await world.drain(delivery)
            #expect(delivery.notices.count == 2)
            for notice in delivery.notices {
                let tiers = try await world.sql(
                    """
                    select m.budget_tier from public.recommendation_runs r
                    join public.partner_milestones m on r.request like 'm:' || m.id || ':%'
                    where r.vault_id = '\(notice.vault)' order by r.created_at, r.id
                    """
                )
                #expect(tiers == [["major_milestone"], ["minor_occasion"]])
                let first = try #require(notice.occasions.first)
                let tier = try await world.value(
                    "select budget_tier from public.partner_milestones where id = '\(first.milestone)'"
                )
                #expect(tier == "major_milestone" && notice.occasions.count == 2)
                let shown = try await world.sql(
                    "select id from public.recommendations where run_id = '\(first.run)' order by position"
                )
                #expect(notice.choices.map(\.id) == shown.compactMap { $0[0] })
            }
            try await world.expectSound()
        }
    }

    /// Whoever calls for each notification at its moment would tell a person of each day by itself.
    @Test func `one that is asked for takes along what else of its vault is due`() async throws {
        try await WorkerWorld.with(people: 2) { world in
            try await world.sql(
                "update public.partner_milestones set milestone_date = '2000-05-12' where milestone_type = 'anniversary'"
            )
            try await world.sql(
                """
                select api.enqueue(array_agg(m.id), array_agg(date '2026-05-12'), array_agg(3), array_agg(knot.clock()))
                from public.partner_milestones m where m.milestone_type = 'anniversary';
                -- The other person's are due as well, and one that is not due yet waits.
                select api.enqueue(array_agg(m.id), array_agg(date '2026-05-16'), array_agg(3), array_agg(timestamptz '2026-05-13 12:00Z'))
                from public.partner_milestones m where m.milestone_type = 'birthday'
                """
            )
            let notification = try await world.value(
                "select notification_id from public.recommendation_jobs where days_before = 7 order by vault_id limit 1"
            )
            let worker = try world.scene.worker(delivery: world.delivery, observer: world.observer)
            let ending = try await worker.run(only: NotificationID(try #require(notification)))
            #expect(ending?.outcome == .completed)
            #expect(try await world.states() == ["completed": 2, "available": 4])
            #expect(try world.notices().count == 1)
            #expect(try await world.count("public.recommendation_jobs where attempt = 0") == 4)
        }
    }

    /// Where a timer starts workers that end at once, none is ever there for long.
    @Test(arguments: [true, false])
    func `a worker that ends soon takes back what a dead one held, and does it`(isDraining: Bool) async throws {
        try await WorkerWorld.with(people: 2) { world in
            let held = try await world.scene.queue.claim(2, by: .random, lease: .seconds(60))
            try await world.sql(
                "update public.recommendation_jobs set lease_until = knot.clock() - interval '1 second'"
            )
            if isDraining {
                #expect(try await world.drain(world.delivery).counts == [.completed: 2])
            } else {
                let notification = try #require(held.first?.notification)
                let worker = try world.scene.worker(delivery: world.delivery, observer: world.observer)
                #expect(try await worker.run(only: notification)?.outcome == .completed)
                #expect(try await world.states() == ["completed": 1, "retryable": 1])
                try await world.sql(
                    "update public.recommendation_jobs set run_at = knot.clock() where state = 'retryable'"
                )
                try await world.drain(world.delivery)
            }
            #expect(world.observer.events.contains(.rescued(jobs: 2, dead: 0)))
            try await world.expectSound()
        }
    }

    @Test func `a reminder that nobody took is told of again under the same name, with the same set`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            let delivery = world.delivery
            delivery.answer([.later(code: "http_503", detail: "It is busy.", after: .seconds(40))])
            try await world.drain(delivery)
            #expect(try await world.states() == ["retryable": 1])
            let wait = try await world.value(
                "select extract(epoch from run_at - knot.clock())::integer from public.recommendation_jobs"
            )
            #expect((35...60).contains(Int(wait ?? "") ?? 0))
            let notice = try await world.value("select notice_id from public.recommendation_jobs")
            let run = try await world.value("select id from public.recommendation_runs")
            try await world.sql("update public.recommendation_jobs set run_at = knot.clock()")
            try await world.drain(delivery)
            try await world.expectSound()
            #expect(delivery.handed.map(\.key.description) == [notice ?? ""])
            #expect(try await world.value("select run_id from public.recommendation_jobs") == run)
        }
    }

    @Test func `a digest that was lost on its way is whole when one of its reminders comes back alone`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            try await world.sql(
                "update public.partner_milestones set milestone_date = '2000-05-12' where milestone_type = 'anniversary'"
            )
            try await world.sql(
                """
                select api.enqueue(array_agg(m.id), array_agg(date '2026-05-12'), array_agg(3), array_agg(knot.clock()))
                from public.partner_milestones m where m.milestone_type = 'anniversary'
                """
            )
            let delivery = world.delivery
            delivery.answer([.later(code: "http_503", detail: "It is busy.", after: nil)])
            try await world.drain(delivery)
            #expect(try await world.states() == ["retryable": 2])
            try await world.sql(
                """
                update public.recommendation_jobs
                set run_at = knot.clock() + case days_before when 7 then interval '-1 s' else interval '1 hour' end
                """
            )
            try await world.drain(delivery)
            // Both days were told of, so both are done.
            #expect(delivery.notices.map { $0.occasions.map(\.daysBefore) } == [[3, 7]])
            try await world.expectSound()
        }
    }

    @Test(arguments: [
        ("delete from public.partner_milestones where milestone_type = 'birthday'", "gone"),
        (
            "update public.partner_milestones set milestone_date = '2000-05-20' where milestone_type = 'birthday'",
            "day_changed"
        ),
        ("update public.users set notifications_enabled = false", "reminders_off"),
        ("update public.notification_queue set status = 'cancelled'", "notification_ended"),
        ("delete from public.notification_queue", "notification_ended"),
        ("update public.users set quiet_hours_start = 0, quiet_hours_end = 23", "never_allowed"),
    ])
    func `what is not wanted any more is neither made nor sent`(change: String, code: String) async throws {
        try await WorkerWorld.with(people: 2) { world in
            try await world.sql(change)
            let delivery = world.delivery
            let summary = try await world.drain(delivery)
            #expect(delivery.notices.isEmpty)
            #expect(try await world.count("public.recommendation_runs") == 0)
            if code == "gone" {
                #expect(summary.all == 0)
            } else {
                #expect(summary.counts == [.cancelled: 2])
                #expect(try await world.count("public.recommendation_jobs where last_error_code = '\(code)'") == 2)
            }
        }
    }

    @Test func `what is edited between choosing and telling is not told`() async throws {
        try await WorkerWorld.with(people: 2) { world in
            let delivery = world.delivery
            let points = PointWatch { point in
                guard point == .afterSave else { return }
                _ = try? await world.sql("update public.partner_milestones set milestone_date = '2000-05-21'")
            }
            let summary = try await world.drain(delivery, points: points)
            #expect(summary.counts == [.cancelled: 2])
            #expect(delivery.notices.isEmpty)
            #expect(try await world.count("public.notification_queue where status = 'cancelled'") == 2)
        }
    }

    @Test func `in quiet hours a reminder waits for their end and spends no attempt`() async throws {
        try await WorkerWorld.with(people: 2) { world in
            try await world.sql("update public.users set quiet_hours_start = 11, quiet_hours_end = 15")
            let delivery = world.delivery
            let summary = try await world.drain(delivery)
            #expect(summary.counts == [.snoozed: 2])
            #expect(delivery.notices.isEmpty)
            #expect(try await world.count("public.recommendation_runs") == 0)
            let rows = try await world.sql(
                "select state, attempt, run_at at time zone 'Europe/London' from public.recommendation_jobs"
            )
            #expect(rows.allSatisfy { $0[0] == "available" && $0[1] == "0" })
            // Each at a moment of its own, and none at the very end of the quiet hours.
            let moments = rows.compactMap { $0[2] }
            #expect(moments.allSatisfy { ("2026-05-09 15:00:00"..<"2026-05-09 20:45:00").contains($0) }, "\(moments)")
            #expect(Set(moments).count == 2)
        }
    }

    @Test func `a vault whose rows cannot be used stops nobody else and is not tried again`() async throws {
        try await WorkerWorld.with(people: 3) { world in
            try await world.sql(
                """
                alter table public.partner_milestones drop constraint partner_milestones_moments_check;
                update public.partner_milestones set milestone_date = 'infinity'
                where milestone_type = 'holiday' and vault_id = (select min(id::text)::uuid from public.partner_vaults)
                """
            )
            let summary = try await world.drain(world.delivery)
            #expect(summary.counts == [.completed: 2, .dead: 1])
            #expect(
                try await world.count("public.recommendation_jobs where state = 'dead' and last_error_class = 'data'")
                    == 1
            )
            #expect(try await world.count("public.notification_queue where status = 'failed'") == 1)
        }
    }

    @Test func `what is refused for good is put aside, and its notification has failed`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            let delivery = world.delivery
            delivery.answer([.refused(code: "http_410", detail: "Nobody is there.")])
            let summary = try await world.drain(delivery)
            #expect(summary.counts == [.dead: 1])
            #expect(summary.codes == ["http_410": 1])
            #expect(try await world.count("public.notification_queue where status = 'failed'") == 1)
        }
    }

    @Test func `a dead device is forgotten, and one that was registered since is not`() async throws {
        try await WorkerWorld.with(people: 2) { world in
            try await world.sql("update public.users set device_token = id::text, device_platform = 'ios'")
            let delivery = world.delivery
            let early = Instant(millisecondsSinceEpoch: 0)
            delivery.answer([
                .deviceGone(code: "unregistered", since: nil), .deviceGone(code: "unregistered", since: early),
            ])
            var settings = WorkerSettings.quick
            settings.deliversAtOnce = 1
            let summary = try await world.drain(delivery, settings: settings)
            #expect(summary.counts == [.dead: 2])
            #expect(try await world.count("public.users where device_token is null") == 1)
        }
    }

    @Test func `another edit of a person keeps no dead device, and a device that was registered anew stays`()
        async throws
    {
        try await WorkerWorld.with(people: 2) { world in
            try await world.sql("update public.users set device_token = id::text, device_platform = 'ios'")
            let told = try #require(
                try await world.value("select (extract(epoch from clock_timestamp()) * 1000)::bigint + 1")
            )
            // In one order whatever the ids are: the first is edited, the other's telephone says its token once more.
            try await world.sql("select pg_sleep(0.02)")
            try await world.sql("update public.users set quiet_hours_end = 7")
            try await world.sql(
                """
                update public.users set device_token = id::text, device_platform = 'ios'
                where id = (select max(id::text)::uuid from public.users)
                """
            )
            let since = Instant(millisecondsSinceEpoch: try #require(Int64(told)))
            let delivery = world.delivery
            delivery.answer([
                .deviceGone(code: "unregistered", since: since), .deviceGone(code: "unregistered", since: since),
            ])
            #expect(try await world.drain(delivery).counts == [.dead: 2])
            let kept = try await world.sql(
                "select id = (select max(id::text)::uuid from public.users) from public.users where device_token is not null"
            )
            #expect(kept == [["t"]])
        }
    }

    @Test func `without a way to deliver the worker gives its jobs back and says what to mend`() async throws {
        try await WorkerWorld.with(people: 2) { world in
            let delivery = world.delivery
            let wrong = DeliveryResult.misconfigured(code: "bad_key", detail: "Set another key.")
            delivery.answer([wrong, wrong])
            await #expect(throws: WorkerStop(.configuration, code: "bad_key", "Set another key.")) {
                try await world.drain(delivery)
            }
            #expect(try await world.count("public.recommendation_jobs where state = 'available' and attempt = 0") == 2)
            try await world.drain(delivery)
            try await world.expectSound()
        }
    }

    @Test func `a tier that is edited between two attempts does not make a second set`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            let delivery = world.delivery
            delivery.answer([.later(code: "http_503", detail: "It is busy.", after: nil)])
            try await world.drain(delivery)
            try await world.sql(
                """
                update public.partner_milestones set budget_tier = 'minor_occasion';
                update public.recommendation_jobs set run_at = knot.clock()
                """
            )
            try await world.drain(delivery)
            try await world.expectSound()
            #expect(try await world.count("public.recommendation_runs") == 1)
        }
    }
}
