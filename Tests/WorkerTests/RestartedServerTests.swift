import Foundation
import Synchronization
import TestSupport
import Testing
import WorkerScene

@testable import Worker

/// A server that is stopped and started again under a worker that goes on by itself.
@Suite(.tags(.database), .needs(.eighteen)) struct RestartedServerTests {
    /// As everywhere, with a tenth of the pauses.
    private static var usual: WorkerSettings {
        var settings = WorkerSettings()
        settings.choosesAtOnce = 2
        settings.batch = 2
        settings.shortestPoll /= 10
        settings.longestPoll /= 10
        settings.rescuesEvery /= 10
        settings.endingPauses = settings.endingPauses.map { $0 / 10 }
        return settings
    }

    /// Runs a worker on a server of its own, lets `outage` happen to it while notices are under way, and waits until all
    /// that was due before it and what is due since then is told of.
    private func expectComeback(
        after outage: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
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
                let idleness = Idleness()
                let worker = try world.scene.worker(delivery: delivery, observer: idleness, settings: Self.usual)
                let work = Task { try await worker.run(.endless) }
                let told: Result<Void, any Error>
                do {
                    try await LastResort.wait { ending.withLock { $0 != nil } }
                    try ending.withLock { $0 }?.get()
                    told = .success(try await tell(world, idleness))
                } catch {
                    told = .failure(error)
                }
                worker.drain()
                _ = try await work.value
                try told.get()
                try await world.expectSound()
            }
        }
    }

    /// Puts new reminders into the queue, and waits until they are told of and until those from before are.
    private func tell(_ world: WorkerWorld, _ idleness: Idleness) async throws {
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
        try await LastResort.wait {
            try await world.count("public.recommendation_jobs where days_before = 3 and state = 'completed'") == new
        }
        // What was under way when the server went comes back by itself, at the latest when its lease has run out.
        try await LastResort.wait {
            if idleness.isIdle { try await WorkerNight.recover(world.database) }
            return try await world.states() == ["completed": before + new]
        }
    }

    @Test func `a worker whose server was stopped at once and started again goes on by itself`() async throws {
        try await expectComeback { try await $0.crash() }
    }

    @Test func `a worker whose server was away for a while goes on by itself when it is back`() async throws {
        try await expectComeback { server in
            try await server.stop()
            // Long enough for every pause between two attempts to have grown.
            try await Task.sleep(for: .seconds(2))
            try await server.start()
        }
    }
}
