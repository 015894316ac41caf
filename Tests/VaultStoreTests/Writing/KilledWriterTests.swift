import Foundation
import InventedSets
import KnotDomain
import PostgresClient
import Recommendation
import TestSupport
import Testing

@testable import VaultStore

/// Writers that are killed, and writers that race.
@Suite("Storing exactly once", .tags(.database), .serialized) struct KilledWriterTests {
    /// Kills for each point: two here, many in a soak.
    private static let kills = ProcessInfo.processInfo.environment["KNOT_KILLS"].flatMap { Int($0) } ?? 2

    /// Races of eight processes.
    private static let races = ProcessInfo.processInfo.environment["KNOT_RACES"].flatMap { Int($0) } ?? 2

    private static let points = WritePoint.allCases.map(\.rawValue) + ["under_commit"]

    @Test(arguments: points)
    func `a writer killed at any point leaves no set or a whole one`(point: String) async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let store = ChoiceStore(try world.pool(limit: 1))
            var random = SeededRandom(seed: 7)
            var found = 0
            for number in 1...Self.kills {
                let request = "\(point)-\(number)"
                let delay = point == "under_commit" ? ":\(Int.random(in: 1...1_500, using: &random))" : ""
                let probe = try WriteProbeProcess(world, request: request, point: point + delay)
                let ending = await probe.ending()
                // A COMMIT may be quicker than the alarm.
                #expect(ending.isKilled || point == "under_commit", "\(request): \(ending.output)")
                let record = try WriteProbeProcess.record(world, request: request)
                let set = try await store.store(record, until: LastResort.end)
                if !set.isNew { found += 1 }
                #expect(set.result == record.result)
                let runs = try await world.count(
                    "public.recommendation_runs where identity = '\(record.identity.digest)'"
                )
                let rows = try await world.count("public.recommendations where run_id = '\(set.runID)'")
                #expect(runs == 1 && rows == 3, "\(request)")
            }
            switch WritePoint(rawValue: point) {
            case .afterCommit, .beforeAnswer: #expect(found == Self.kills)
            case nil: #expect((0...Self.kills).contains(found))
            default: #expect(found == 0)
            }
            #expect(try await world.count("public.recommendation_runs") == Self.kills)
        }
    }

    @Test(arguments: points)
    func `a writer of several sets killed at any point leaves none of them or all`(point: String) async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let store = ChoiceStore(try world.pool(limit: 1))
            var random = SeededRandom(seed: 8)
            var found = 0
            for number in 1...Self.kills {
                let request = "\(point)-\(number)"
                let delay = point == "under_commit" ? ":\(Int.random(in: 1...1_500, using: &random))" : ""
                let probe = try WriteProbeProcess(world, request: request, point: point + delay, together: 5)
                let ending = await probe.ending()
                // A COMMIT may be quicker than the alarm.
                #expect(ending.isKilled || point == "under_commit", "\(request): \(ending.output)")
                let sets = try InventedSet.batch(vault: world.brief.vault.id, request: request, count: 5)
                let stored = try await store.store(all: sets, each: LastResort.limit).map { try $0.get() }
                #expect(Set(stored.map(\.isNew)).count == 1, "\(request) was torn")
                if stored.first?.isNew == false { found += 1 }
                #expect(stored.map(\.result) == sets.map(\.record.result))
                let ids = stored.map { "'\($0.runID)'" }.joined(separator: ", ")
                let rows = try await world.count("public.recommendations where run_id in (\(ids))")
                #expect(rows == 15, "\(request)")
            }
            switch WritePoint(rawValue: point) {
            case .afterCommit, .beforeAnswer: #expect(found == Self.kills)
            case nil: #expect((0...Self.kills).contains(found))
            default: #expect(found == 0)
            }
            #expect(try await world.count("public.recommendation_runs") == 5 * Self.kills)
        }
    }

    @Test func `of eight processes that store the same sets together one stores each, and all have them`() async throws
    {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            for round in 1...Self.races {
                let probes = try (1...8).map { _ in
                    try WriteProbeProcess(world, request: "race-\(round)", point: "none", together: 5)
                }
                var words: [Substring] = []
                for probe in probes { words += await probe.ending().output.split(separator: " ") }
                let stored = words.count(where: { $0 == "new" })
                let ids = words.filter { $0 != "new" && $0 != "known" }
                #expect(stored == 5, "\(words)")
                #expect(ids.count == 40 && Set(ids).count == 5, "\(words)")
                #expect(try await world.count("public.recommendation_runs") == 5 * round)
                #expect(try await world.count("public.recommendations where run_id is not null") == 15 * round)
            }
        }
    }

    @Test func `of eight processes that store the same request one does, and all have its set`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            for round in 1...Self.races {
                let probes = try (1...8).map { _ in
                    try WriteProbeProcess(world, request: "race-\(round)", point: "none")
                }
                var outputs: [String] = []
                for probe in probes { outputs.append(await probe.ending().output) }
                #expect(outputs.filter { $0.hasPrefix("new ") }.count == 1, "\(outputs)")
                #expect(Set(outputs.map { $0.split(separator: " ").last ?? "" }).count == 1, "\(outputs)")
                #expect(try await world.count("public.recommendation_runs") == round)
                #expect(try await world.count("public.recommendations where run_id is not null") == 3 * round)
            }
        }
    }

    @Test func `thirty-two tasks of one process that store the same request end in one set`() async throws {
        try await withDatabase(.eighteen, .migrated) { database in
            let world = try await StoredWorld.make(database)
            let store = ChoiceStore(try world.pool(limit: 8))
            let record = try world.record()
            let sets = try await withThrowingTaskGroup(of: StoredSet.self) { group in
                for _ in 1...32 { group.addTask { try await store.store(record, until: LastResort.end) } }
                return try await group.reduce(into: [StoredSet]()) { $0.append($1) }
            }
            #expect(sets.filter(\.isNew).count == 1)
            #expect(Set(sets.map(\.result)) == [record.result])
            #expect(try await world.count("public.recommendations where run_id is not null") == 3)
        }
    }
}
