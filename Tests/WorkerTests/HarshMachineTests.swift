import Delivery
import Foundation
import LocalPostgres
import PostgresClient
import TestSupport
import Testing
import WorkerScene

@testable import Worker

/// Workers on a machine or a network that is in trouble: nothing is lost, doubled, torn or repeated, and nobody starts them
/// anew.
@Suite(.tags(.database), .serialized) struct HarshMachineTests {
    // MARK: A network that is gone

    /// No line ends, so only deadlines tell; whoever is cut off for two leases comes back to jobs that another has done.
    @Test func `a worker that hears nothing for two leases ends what it waits for, and writes nothing later`()
        async throws
    {
        try await WorkerWorld.with { world in
            let proxy = try WireProxy(to: world.database.server.running.socketFolder + "/.s.PGSQL.5432")
            let far = try WorkerScene(url: proxy.url(database: world.database.name, user: "knot_worker"))
            var settings = WorkerSettings.quick
            settings.lease = .seconds(4)
            settings.renewsEvery = .seconds(1)
            settings.margin = .milliseconds(500)
            let (slow, observer) = (world.delivery, RecordingObserver())
            let isGone = Flag()
            slow.meanwhile { _ in
                guard isGone.raise() else { return }
                proxy.fallSilent()
                // Another does it meanwhile, as soon as the leases are over.
                guard let other = try? world.scene.worker(delivery: world.delivery) else { return }
                let work = Task { try await other.run(.endless) }
                _ = try? await LastResort.wait { try await WorkerNight.open(world.database) == 0 }
                other.drain()
                _ = try? await work.value
            }
            let worker = try far.worker(delivery: slow, observer: observer, settings: settings)
            let work = Task { try await worker.run(.endless) }
            try await LastResort.wait {
                let isDone = try await WorkerNight.open(world.database) == 0
                return isDone && observer.events.contains { if case .queueFailed = $0 { true } else { false } }
            }
            let before = try await world.sql("select j::text from public.recommendation_jobs j order by id")
            proxy.speakAgain()
            try await LastResort.wait {
                observer.endings.contains { $0.outcome == .lost }
            }
            // It goes on by itself: what is due next is done.
            try await world.sql(
                """
                update public.partner_milestones set milestone_date = '2000-05-12' where milestone_type = 'anniversary'
                """
            )
            #expect(try await world.sql("select j::text from public.recommendation_jobs j order by id") == before)
            worker.drain()
            _ = try await work.value
            await far.pool.close()
            try await world.expectSound()
            #expect(try world.notices().count == WorkerWorld.people)
        }
    }

    // MARK: A disk that is full

    @Test(.enabled(if: SmallDisk.mayMount, Comment(rawValue: SmallDisk.absence)))
    func `a full disk of the server stops nobody for good, and tears no set`() async throws {
        try await TestServer.withOwn { server in
            try await WorkerWorld.with(on: server) { world in
                let owner = try FileManager.default.attributesOfItem(atPath: server.running.socketFolder)[
                    .ownerAccountID
                ]
                try await SmallDisk.with(megabytes: 96, owner: owner as? Int ?? 0) { disk in
                    await world.scene.pool.close()
                    try await PlainConnection.run("create tablespace small location '\(disk.path)'", on: server.url())
                    let name = world.database.name
                    try await PlainConnection.run("alter database \"\(name)\" set tablespace small", on: server.url())
                    let scene = try WorkerScene(url: world.database.url(user: "knot_worker"))
                    // Half of the sets find room, roughly; pages that are there already take some.
                    try disk.fill(leaving: 64 << 10)
                    let observer = RecordingObserver()
                    let worker = try scene.worker(delivery: world.delivery, observer: observer)
                    let work = Task { try await worker.run(.endless) }
                    try await LastResort.wait {
                        observer.endings.contains { $0.outcome == .retried }
                            || observer.events.contains { if case .queueFailed = $0 { true } else { false } }
                    }
                    #expect(try await WorkerNight.open(world.database) > 0)
                    try disk.empty()
                    try await LastResort.wait {
                        try await world.sql(
                            "update public.recommendation_jobs set run_at = knot.clock() where state = 'retryable'"
                        )
                        return try await WorkerNight.open(world.database) == 0
                    }
                    worker.drain()
                    _ = try await work.value
                    await scene.pool.close()
                    try await world.expectSound()
                    #expect(try await world.states() == ["completed": WorkerWorld.people])
                    try await PlainConnection.run(
                        "alter database \"\(name)\" set tablespace pg_default",
                        on: server.url()
                    )
                    try await PlainConnection.run("drop tablespace small", on: server.url())
                }
            }
        }
    }

    @Test(.enabled(if: SmallDisk.mayMount, Comment(rawValue: SmallDisk.absence)))
    func `a full disk of the outbox loses no notice and leaves none by half`() async throws {
        try await WorkerWorld.with { world in
            try await SmallDisk.with(megabytes: 1, owner: 0) { disk in
                try disk.fill(leaving: 0)
                let delivery = CountedDelivery(OutboxDelivery(folder: disk.path))
                let summary = try await world.drain(delivery)
                #expect(summary.counts == [.retried: WorkerWorld.people], "\(summary.codes)")
                #expect(try disk.files().isEmpty)
                try disk.empty()
                try await world.sql("update public.recommendation_jobs set run_at = knot.clock()")
                try await world.drain(delivery)
                try await world.expectSound()
                #expect(try disk.files().count == WorkerWorld.people)
                for file in try disk.files() {
                    let bytes = try Data(contentsOf: URL(fileURLWithPath: disk.path + "/" + file))
                    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: bytes) }
                }
            }
        }
    }

    // MARK: Clocks

    /// The database's clock decides what is due, held and sent; a worker's own decides nothing.
    @Test(.enabled(if: FalseClock.isHere, Comment(rawValue: FalseClock.absence)), arguments: FalseClock.allCases)
    func `a worker whose clock is off by minutes or by days does what one with the right time does`(
        clock: FalseClock
    ) async throws {
        let quiet = try await WorkerNight.quiet()
        let night = try await WorkerNight.of { database, outbox in
            let ending = try await WorkerProbeProcess.start(
                database,
                outbox,
                point: "none",
                environment: clock.environment
            ).ending()
            #expect(!ending.isKilled && ending.code == 0, "\(ending.code) \(ending.output)")
            #expect(ending.output.contains("completed=\(WorkerNight.people)"), "\(ending.output)")
            return 1
        }
        let wrong = night.differences(from: quiet)
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "; "))")
    }

    /// On these nights London's clock skips an hour, and has one twice.
    @Test(arguments: [
        (day: "2026-04-05", night: "2026-03-29 00:59:40Z", window: "2026-03-29 09:00:00+00"..."2026-03-29 19:45:00+00"),
        (day: "2026-11-01", night: "2026-10-25 00:30:00Z", window: "2026-10-25 10:00:00+00"..."2026-10-25 20:45:00+00"),
        (day: "2026-11-01", night: "2026-10-25 01:30:00Z", window: "2026-10-25 10:00:00+00"..."2026-10-25 20:45:00+00"),
    ])
    func `in the night of a change of the clock reminders wait for the next window as people have it`(
        day: String,
        night: String,
        window: ClosedRange<String>
    ) async throws {
        try await WorkerWorld.with(due: []) { world in
            func turn(to moment: String) async throws {
                try await world.sql(
                    """
                    create or replace function knot.clock() returns timestamptz language sql stable
                        set search_path = pg_catalog, pg_temp as 'select timestamptz ''\(moment)'''
                    """
                )
            }
            try await turn(to: night)
            try await world.sql(
                """
                update public.partner_milestones set milestone_date = '2000-\(day.dropFirst(5))'
                    where milestone_type = 'birthday';
                select api.enqueue(
                    array_agg(m.id), array_agg(date '\(day)'), array_agg(7),
                    array_agg(knot.clock() - interval '1 second')
                ) from public.partner_milestones m where m.milestone_type = 'birthday'
                """
            )
            let summary = try await world.drain(world.delivery)
            #expect(summary.counts == [.snoozed: WorkerWorld.people], "\(summary.codes)")
            let moments = try await world.sql(
                "select distinct to_char(run_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') || '+00' "
                    + "from public.recommendation_jobs"
            ).compactMap { $0[0] }
            #expect(moments.allSatisfy(window.contains), "\(moments)")
            #expect(moments.count == WorkerWorld.people, "each has a moment of its own")
            try await turn(to: window.upperBound)
            let delivery = world.delivery
            try await world.drain(delivery)
            #expect(delivery.notices.count == WorkerWorld.people)
            try await world.expectSound(night)
        }
    }
}
