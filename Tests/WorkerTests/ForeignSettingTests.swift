import TestSupport
import Testing
import WorkerScene

@testable import Worker

/// A worker on a database whose settings are not made for it.
@Suite("By a setting of the database's,", .tags(.database)) struct ForeignSettingTests {
    @Test(arguments: [ReminderWorker.Span.whileDue, .endless])
    func `a worker that is stopped before the queue ever answered does not say that nothing was due`(
        span: ReminderWorker.Span
    ) async throws {
        try await WorkerWorld.with(people: 1) { world in
            try await world.sql("alter database \(world.database.name) set default_transaction_read_only = on")
            var settings = WorkerSettings.quick
            settings.failuresWhenDraining = 1_000
            let worker = try world.scene.worker(
                delivery: world.delivery,
                observer: world.observer,
                settings: settings
            )
            let work = Task { () async -> WorkerStop? in
                do throws(WorkerStop) {
                    try await worker.run(span)
                    return nil
                } catch {
                    return error
                }
            }
            while !world.observer.events.contains(where: { if case .queueFailed = $0 { true } else { false } }) {
                try await ContinuousClock().sleep(for: .milliseconds(5))
            }
            worker.drain()
            let stop = await work.value
            #expect(stop?.kind == .unavailable && stop?.code == "database_read_only", "\(String(describing: stop))")
        }
    }

    /// An error for each row that is somebody else's, and all that a worker reads stands under such rules.
    @Test func `rules of rows hold whatever a role or a database says about them`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            try await world.sql("alter database \(world.database.name) set row_security = off")
            #expect(try await world.drain(world.delivery).counts == [.completed: 1])
            try await world.expectSound()
        }
    }
}
