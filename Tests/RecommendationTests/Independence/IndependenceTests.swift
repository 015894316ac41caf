import Fixtures
import Foundation
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

/// What a set is chosen for is the vault and what may be shown; nothing else that lies in the pool, and no order.
@Suite struct IndependenceTests {
    /// Cases of each law: those of this day, or as many as the trial asks for.
    private static let cases: [Int] =
        ProcessInfo.processInfo.environment["KNOT_CASES"].flatMap { Int($0) }.map { Array(0..<$0) }
        ?? TodaysCases.of(Array(0..<56))

    /// One judged vault with one kind of readings, by words or with an embedder, as a seed says.
    private struct Draw {
        let seed: Int
        let fixtureCase: FixtureCase
        let embedder: WordAxes?
        var generator: SeededGenerator

        init(_ seed: Int) throws {
            self.seed = seed
            let files = try JudgedFixtures.files()
            let loader = seed / files.count % 2 == 0 ? FixtureLoader(readings: .rules) : FixtureLoader()
            fixtureCase = try loader.load(files[seed % files.count])
            embedder = seed % 3 == 0 ? WordAxes() : nil
            generator = SeededGenerator(seed: UInt64(seed))
        }

        func run(_ changed: FixtureCase) async throws -> EngineRun {
            var ports = StagePorts(
                changed,
                asOf: nil,
                zones: ZoneDirectory(),
                clock: FixtureClock(changed.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
            )
            ports.embedder = embedder
            return await Scene.engine.report(
                try Scene.plan(ShippedPipelines.standard),
                ports: ports,
                options: RunOptions(subject: changed.fixture.vault.id.text, deadline: .seconds(600))
            )
        }
    }

    /// The cards with their scores and reasons, byte for byte.
    private static func cards(_ run: EngineRun) throws -> String {
        let document = try #require(run.document())
        return JSONWriter.text(try #require(document["choices"]), style: .canonical)
    }

    @Test(arguments: cases)
    func `taking away what the rules drop, or adding more of it, changes no card`(seed: Int) async throws {
        var draw = try Draw(seed)
        let usual = try await draw.run(draw.fixtureCase)
        let cards = try Self.cards(usual)
        let changed = ChangedCase(base: draw.fixtureCase)
        let dropped = usual.report.ledger.items(.dropped).map(\.text)
        let some = Set(dropped.filter { _ in draw.generator.next() & 1 == 0 })
        for gone in [Set(dropped), some] {
            let fewer = try await draw.run(changed.without(gone))
            let isSame = try Self.cards(fewer) == cards
            #expect(isSame, "seed \(seed), \(draw.fixtureCase.stem): \(usual.shown) became \(fewer.shown)")
        }
        let other = try Draw(seed + 11)
        let more = try await draw.run(changed.withForbidden(30, from: other.fixtureCase, &draw.generator))
        let isSame = try Self.cards(more) == cards
        #expect(isSame, "seed \(seed), \(draw.fixtureCase.stem): \(usual.shown) became \(more.shown)")
        #expect(more.report.counts[.dropped] >= usual.report.counts[.dropped] + 20)
    }

    @Test(arguments: cases)
    func `adding what is strictly worse than what is shown changes no card`(seed: Int) async throws {
        var draw = try Draw(seed)
        let usual = try await draw.run(draw.fixtureCase)
        let changed = ChangedCase(base: draw.fixtureCase)
        let more = try await draw.run(changed.withWorse(12, than: usual.shown, &draw.generator))
        let isSame = try Self.cards(more) == Self.cards(usual)
        #expect(isSame, "seed \(seed), \(draw.fixtureCase.stem): \(usual.shown) became \(more.shown)")
    }

    @Test(arguments: cases)
    func `the order of likes, vibes, hints, history, tags and candidates changes no card`(seed: Int) async throws {
        var draw = try Draw(seed)
        let usual = try await draw.run(draw.fixtureCase)
        let other = try await draw.run(ChangedCase(base: draw.fixtureCase).reordered(&draw.generator))
        // A card lists its tags nowhere, so that all of it must be the same.
        let isSame = try Self.cards(other) == Self.cards(usual)
        #expect(isSame, "seed \(seed), \(draw.fixtureCase.stem): \(usual.shown) became \(other.shown)")
    }
}
