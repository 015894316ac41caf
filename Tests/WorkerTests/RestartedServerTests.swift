import Foundation
import Synchronization
import TestSupport
import Testing
import WorkerScene

@testable import Worker

/// A server that is stopped and started again under a worker that goes on by itself.
@Suite(.tags(.database), .needs(.eighteen)) struct RestartedServerTests {
    /// As everywhere but for the pace, so that what is measured is how a worker comes back.
    private static var usual: WorkerSettings {
        var settings = WorkerSettings()
        settings.choosesAtOnce = 2
        settings.batch = 2
        return settings
    }

    /// Runs a worker on a server of its own, lets `outage` happen to it while notices are under way, and returns how long
    /// after it new reminders were told of.
    private func comeback(
        after outage: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws -> Duration {
        try await TestServer.withOwn { server in
            try await WorkerWorld.with(on: server) { world in
                // How the outage went; nil until it is over.
                let ending = Mutex<Result<Void, any Error>?>(nil)
                let struck = Counter()
                let delivery = world.delivery
                delivery.meanwhile { _ in
                    guard struck.isFirst() else { return }
                    let result: Result<Void, any Error>
                    do { result = .success(try await outage(server)) } catch { result = .failure(error) }
                    ending.withLock { $0 = result }
                }
                let worker = try world.scene.worker(delivery: delivery, settings: Self.usual)
                let work = Task { try await worker.run(.endless) }
                let took: Result<Duration, any Error>
                do {
                    try await until(.seconds(120)) { ending.withLock { $0 != nil } }
                    try ending.withLock { $0 }?.get()
                    took = .success(try await told(world, since: .now))
                } catch {
                    took = .failure(error)
                }
                worker.drain()
                _ = try await work.value
                let time = try took.get()
                try await world.expectSound()
                return time
            }
        }
    }

    /// Puts new reminders into the queue, waits until they are told of and until those from before are, and returns how long
    /// the new ones took.
    private func told(_ world: WorkerWorld, since start: ContinuousClock.Instant) async throws -> Duration {
        let before = try await world.count("public.recommendation_jobs")
        try await world.sql(
            """
            update public.partner_milestones set milestone_date = '2000-05-12' where milestone_type = 'anniversary';
            select api.enqueue(array_agg(m.id), array_agg(date '2026-05-12'), array_agg(3), array_agg(knot.clock()))
            from public.partner_milestones m where m.milestone_type = 'anniversary'
            """
        )
        let new = try await world.count("public.recommendation_jobs") - before
        try #require(new == WorkerWorld.people)
        try await until(.seconds(120)) {
            try await world.count("public.recommendation_jobs where days_before = 3 and state = 'completed'") == new
        }
        let took = ContinuousClock.now - start
        // What was under way when the server went comes back by itself, at the latest when its lease has run out.
        try await until(.seconds(150)) { try await world.states() == ["completed": before + new] }
        return took
    }

    private func until(_ limit: Duration, _ isSo: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + limit
        while try await !isSo() {
            try #require(ContinuousClock.now < end, "it did not come about within \(limit)")
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test func `a worker whose server was stopped at once and started again goes on within 30 seconds`() async throws {
        let took = try await comeback { try await $0.crash() }
        #expect(took < .seconds(30))
        print("after an immediate stop: \(took)")
    }

    @Test func `a worker whose server was away for a while goes on within 30 seconds of its return`() async throws {
        let took = try await comeback { server in
            try await server.stop()
            // Long enough for every pause between two attempts to have grown.
            try await Task.sleep(for: .seconds(20))
            try await server.start()
        }
        #expect(took < .seconds(30))
        print("after twenty seconds without a server: \(took)")
    }
}
