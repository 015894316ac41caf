import PostgresClient
import ReminderStore
import Synchronization
import TestSupport
import Testing
import WorkerScene

@testable import Worker

/// Workers on a server that has no connection left for them, or hardly any.
@Suite(.tags(.database), .serialized) struct FullServerTests {
    /// As `work` opens it: the connections of its vaults and of its queue.
    private static let connections = 4

    @Test func `sixteen workers run beside each other with the roles as the migrations make them`() async throws {
        try await TestServer.withOwn(settings: ["max_connections": "100"]) { server in
            try await WorkerWorld.with(on: server) { world in
                let delivery = world.delivery
                var settings = WorkerSettings.quick
                settings.batch = 1
                let observers = (0..<16).map { _ in RecordingObserver() }
                let listening = Listeners()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for observer in observers {
                        let scene = try WorkerScene(url: world.scene.url, connections: Self.connections)
                        let worker = try scene.worker(delivery: delivery, observer: observer, settings: settings)
                        group.addTask {
                            // Each holds all that it may at once, before anybody has begun.
                            let listener = Task {
                                await QueueListener(scene.pool.target).listen { listening.join() }
                            }
                            await withTaskGroup(of: Void.self) { holding in
                                for _ in 0..<Self.connections {
                                    holding.addTask { await Self.hold(scene.pool) }
                                }
                            }
                            try await LastResort.wait { listening.count >= observers.count }
                            try await worker.run(.whileDue)
                            listener.cancel()
                            await listener.value
                            await scene.pool.close()
                        }
                    }
                    try await group.waitForAll()
                }
                try await world.expectSound()
                #expect(try await world.states() == ["completed": WorkerWorld.people])
                #expect(try await world.value("select max(attempt) from public.recommendation_jobs") == "1")
                let failures = observers.flatMap(\.events).filter { if case .queueFailed = $0 { true } else { false } }
                #expect(failures.isEmpty)
            }
        }
    }

    private static func hold(_ pool: ConnectionPool) async {
        do throws(PostgresError) {
            try await pool.withConnection(until: LastResort.end) { connection throws(PostgresError) in
                _ = try await connection.run("select pg_sleep(0.05)")
            }
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func `a server without a free connection is waited for, and no attempt is spent on it`() async throws {
        try await TestServer.withOwn(settings: ["max_connections": "12"]) { server in
            try await WorkerWorld.with(on: server) { world in
                let target = try ConnectionTarget(url: world.database.url(user: "knot_worker"))
                var taken: [PostgresConnection] = []
                while taken.count < 20 {
                    do throws(PostgresError) {
                        taken.append(try await PostgresConnection.connect(to: target))
                    } catch {
                        #expect(error.code == .tooManyConnections)
                        #expect(error.advice.contains("connection limit of the role"))
                        break
                    }
                }
                try #require(taken.count < 20, "the server takes more connections than it may")
                let observer = RecordingObserver()
                let scene = try WorkerScene(url: world.database.url(user: "knot_worker"))
                let delivery = world.delivery
                let worker = try scene.worker(delivery: delivery, observer: observer)
                let work = Task { try await worker.run(.endless) }
                try await LastResort.wait { scene.pool.counts.leased > 0 }
                try await ContinuousClock().sleep(for: .milliseconds(300))
                // One is enough for all that it does.
                await taken.removeLast().close()
                try await LastResort.wait { try await WorkerNight.open(world.database) == 0 }
                worker.drain()
                _ = try await work.value
                for connection in taken { await connection.close() }
                await scene.pool.close()
                try await world.expectSound()
                #expect(try await world.value("select max(attempt) from public.recommendation_jobs") == "1")
                let failures = observer.events.filter { if case .queueFailed = $0 { true } else { false } }
                #expect(failures.isEmpty)
            }
        }
    }
}

/// How many workers listen for news.
private final class Listeners: Sendable {
    private let joined = Atomic(0)

    var count: Int { joined.load(ordering: .relaxed) }

    func join() { joined.add(1, ordering: .relaxed) }
}
