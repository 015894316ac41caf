import ChoiceService
import Foundation
import JSONDocument
import KnotDomain
import Recommendation
import Synchronization
import TestSupport
import Testing
import Worker
import WorkerScene

/// Sets on demand and those of reminders, made for one vault at the same time.
@Suite(.tags(.database)) struct SetRaceTests {
    private static func vaults(_ world: WorkerWorld) async throws -> [VaultID] {
        try await world.sql("select id from public.partner_vaults order by id").compactMap { $0[0].map { VaultID($0) } }
    }

    /// For the tier of birthdays, so that all choose from the same offers; there are enough for two sets.
    private static func request(
        _ vault: VaultID,
        _ name: String,
        for tier: OccasionTier = .majorMilestone
    ) -> ChoiceRequest {
        ChoiceRequest(vault: vault, occasion: .tier(tier), asOf: WorkerScene.noon, name: name)
    }

    @Test func `of two requests with names of their own the slower one chooses anew, with other items`() async throws {
        try await WorkerWorld.with(due: [], people: 1) { world in
            let vault = try await Self.vaults(world)[0]
            let quick = try world.scene.service()
            let once = Once()
            let slow = try world.scene.service(
                PointWatch { point in
                    guard point == .beforeSave, once.isFirst() else { return }
                    await Self.noting { _ = try await quick.choose(Self.request(vault, "quick")) }
                }
            )
            let answer = try await slow.choose(Self.request(vault, "slow"))
            #expect(answer.document["stored"] == true && answer.notes.isEmpty)
            #expect(try await world.count("public.recommendation_runs") == 2)
            #expect(try await world.count("public.recommendations where run_id is not null") == 6)
            try await world.expectSound()
        }
    }

    @Test func `a set on demand that a reminder's was faster than is chosen anew`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            let vault = try await Self.vaults(world)[0]
            let once = Once()
            let slow = try world.scene.service(
                PointWatch { point in
                    guard point == .beforeSave, once.isFirst() else { return }
                    await Self.noting { try await world.drain(world.delivery) }
                }
            )
            _ = try await slow.choose(Self.request(vault, "slow"))
            try await Self.expectBoth(world)
        }
    }

    @Test func `a reminder's set that one on demand was faster than is chosen anew`() async throws {
        try await WorkerWorld.with(people: 1) { world in
            let vault = try await Self.vaults(world)[0]
            let quick = try world.scene.service()
            let once = Once()
            let points = PointWatch { point in
                guard point == .beforeSave, once.isFirst() else { return }
                await Self.noting { _ = try await quick.choose(Self.request(vault, "quick")) }
            }
            try await world.drain(world.delivery, points: points)
            try await Self.expectBoth(world)
        }
    }

    /// One set of each kind, and the reminder told.
    private static func expectBoth(_ world: WorkerWorld) async throws {
        #expect(try await world.states() == ["completed": 1])
        #expect(try await world.count("public.recommendation_runs where kind = 'on_demand'") == 1)
        #expect(try await world.count("public.recommendation_runs where kind = 'scheduled'") == 1)
        try await world.expectSound()
    }

    @Test func `two requests of one vault in one batch have no item in common`() async throws {
        try await WorkerWorld.with(due: [], people: 2) { world in
            let vaults = try await Self.vaults(world)
            let output = Endings()
            let requests = vaults.flatMap { vault in ["a", "b"].map { Self.request(vault, $0) } }
            try await world.scene.service().choose(all: Listed(requests), atOnce: 2, into: output)
            #expect(output.failures.isEmpty, "\(output.failures)")
            #expect(output.texts.count == 4)
            #expect(try await world.count("public.recommendation_runs") == 4)
            try await world.expectSound()
        }
    }

    @Test(arguments: [UInt64(17), 18, 19])
    func `whoever asks while workers work, no vault is shown an item twice`(seed: UInt64) async throws {
        try await WorkerWorld.with { world in
            let vaults = try await Self.vaults(world)
            var random = SeededRandom(seed: seed)
            let asked = vaults.flatMap { vault in
                [Self.request(vault, "a"), Self.request(vault, "b", for: .minorOccasion)]
            }.shuffled(using: &random)
            let pauses = asked.map { _ in Duration.milliseconds(Int.random(in: 0...150, using: &random)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...2 { group.addTask { try await world.drain(world.delivery) } }
                for (request, pause) in zip(asked, pauses) {
                    group.addTask {
                        try await ContinuousClock().sleep(for: pause)
                        _ = try await world.scene.service().choose(request)
                    }
                }
                try await group.waitForAll()
            }
            try await world.drain(world.delivery)
            #expect(try await world.states() == ["completed": WorkerWorld.people], "seed \(seed)")
            #expect(try await world.count("public.recommendation_runs") == 3 * WorkerWorld.people, "seed \(seed)")
            try await world.expectSound("seed \(seed)")
        }
    }

    /// Does something on somebody's way, which nobody may stop with an error.
    private static func noting(_ body: () async throws -> Void) async {
        do { try await body() } catch { Issue.record("\(error)") }
    }
}

/// Requests that are all known.
private struct Listed: RequestSource {
    private var left: ArraySlice<ChoiceRequest>

    init(_ requests: [ChoiceRequest]) { left = requests[...] }

    mutating func next(most: Int) async throws(ChoiceError) -> [ChoiceRequest] {
        defer { left = left.dropFirst(most) }
        return Array(left.prefix(most))
    }
}

/// What came of them.
private final class Endings: ChoiceOutput {
    private let all = Mutex<[ChoiceEnding]>([])

    var texts: [String] { all.withLock { $0.compactMap { try? $0.result.get().text } } }
    var failures: [String] {
        all.withLock { all in
            all.compactMap { ending in
                if case .failure(let error) = ending.result { "\(error)" } else { nil }
            }
        }
    }

    func take(_ endings: [ChoiceEnding]) async { all.withLock { $0 += endings } }
}

/// Tells the first who asks from all others.
private final class Once: Sendable {
    private let isOver = Mutex(false)

    func isFirst() -> Bool {
        isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
    }
}
