import Composition
import Fixtures
import Foundation
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing
import TextEncoding

/// Whatever a provider writes besides what its thing is, the whole ranking stays as it is without that.
///
/// Held to on judged vaults, for candidates and wordings drawn by a seed, by words alone and with the real encoder: every
/// score to the bit, every drop and the three that are shown.
@Suite("Hostile texts in a ranking", .serialized)
struct HostileRankingTests {
    enum Sight: String, CaseIterable, Sendable {
        case words
        case meaning
    }

    /// The default model's encoder; set-up puts it there, so its absence is a failure and no reason to skip.
    private static let embedder = Result {
        let folder = try ModelSearch(environment: ProcessInfo.processInfo.environment).directory()
        return EncoderEmbedder(try Encoder(directory: folder, threads: 2), cache: EmbeddingCache(limit: 20_000))
    }

    private static let cases = Result {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let folder = tests.deletingLastPathComponent().deletingLastPathComponent().appending(path: "fixtures/vaults")
        return try ["dev-03", "dev-14", "dev-26"].map {
            try FixtureLoader(readings: .rules).load(folder.appending(path: $0 + ".json").path)
        }
    }

    /// A vault's usual standing by words alone or with the encoder, to hold changed candidates against.
    private struct Bench {
        let found: FixtureCase
        let sight: Sight
        let usual: Standing

        init(_ found: FixtureCase, _ sight: Sight) async throws {
            self.found = found
            self.sight = sight
            usual = try await Self.standing(found, found.fixture.candidates, sight)
        }

        var candidates: [Candidate] { found.fixture.candidates }

        /// One of those that are ranked: what is dropped cannot fall, and rises only where all laws see it.
        func draw(_ generator: inout SeededGenerator) throws -> Candidate {
            let id = usual.places[Int(generator.next() % UInt64(usual.places.count))].id
            return try #require(candidates.first { $0.id.text == id })
        }

        func standing(with changed: Candidate) async throws -> Standing {
            try await Self.standing(found, candidates.map { $0.id == changed.id ? changed : $0 }, sight)
        }

        private static func standing(
            _ found: FixtureCase,
            _ candidates: [Candidate],
            _ sight: Sight
        ) async throws -> Standing {
            let fixture = found.fixture
            let changed = FixtureCase(
                stem: found.stem,
                fixture: Fixture(
                    name: fixture.name,
                    story: fixture.story,
                    asOf: fixture.asOf,
                    request: fixture.request,
                    vault: fixture.vault,
                    candidates: CandidateList(candidates),
                    facts: fixture.facts,
                    judgments: nil
                ),
                reader: found.reader,
                rates: found.rates,
                digest: found.digest,
                occasion: found.occasion
            )
            let ports = StagePorts(
                changed,
                asOf: nil,
                embedder: sight == .meaning ? try embedder.get() : nil,
                zones: ZoneDirectory(),
                clock: FixtureClock(Instant(millisecondsSinceEpoch: 0))
            )
            // A busy machine must not make it a ranking by words alone.
            let plan = try Scene.plan(ShippedPipelines.standard, settings: ["meaning.patience_s=60"])
            let run = await Scene.engine.report(plan, ports: ports, options: RunOptions())
            let standing = Standing(run, of: candidates)
            try #require(!standing.places.isEmpty, "\(run.report.reasons)")
            try #require(run.codes.contains("no_embedder") == (sight == .words), "\(run.codes)")
            try #require(!run.codes.contains("embedder_failed"), "\(run.codes)")
            return standing
        }
    }

    private static func benches(_ sight: Sight) async throws -> [Bench] {
        var benches: [Bench] = []
        for found in try cases.get() { benches.append(try await Bench(found, sight)) }
        return benches
    }

    private static func expectNothing(
        changedBy changed: Candidate,
        _ bench: Bench,
        _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let difference = try await bench.standing(with: changed).difference(from: bench.usual)
        #expect(
            difference == nil,
            "\(bench.found.stem), \(changed.id), \(what): \(difference ?? "")",
            sourceLocation: sourceLocation
        )
    }

    @Test(arguments: Sight.allCases)
    func `what says nothing of the thing changes nothing`(sight: Sight) async throws {
        var generator = SeededGenerator(seed: 3)
        for (turn, bench) in try await Self.benches(sight).enumerated() {
            for noise in HostileText.noises {
                let candidate = try bench.draw(&generator)
                // Before, behind and below: each vault's turn is another.
                let wordings = noise.around(candidate.description ?? "")
                let changed = candidate.saying(wordings[turn % wordings.count])
                try await Self.expectNothing(changedBy: changed, bench, noise.name)
            }
        }
    }

    @Test(arguments: Sight.allCases)
    func `the same words again change nothing`(sight: Sight) async throws {
        for (seed, bench) in try await Self.benches(sight).enumerated() {
            var generator = SeededGenerator(seed: UInt64(seed))
            for turn in 0..<2 as Range<UInt64> {
                let candidate = try bench.draw(&generator)
                for wording in HostileText.repetitions(of: candidate.title, candidate.description ?? "", turn) {
                    let what = "\(turn): \(wording.prefix(200))"
                    try await Self.expectNothing(changedBy: candidate.saying(wording), bench, what)
                }
            }
        }
    }

    @Test(arguments: Sight.allCases)
    func `what nobody sees between letters and beside titles changes nothing`(sight: Sight) async throws {
        for (seed, bench) in try await Self.benches(sight).enumerated() {
            var generator = SeededGenerator(seed: UInt64(seed))
            for turn in 0..<4 as Range<UInt64> {
                let candidate = try bench.draw(&generator)
                let title = HostileText.veiled(candidate.title, turn) + " \u{1F947}\u{1F525}"
                let changed = candidate.saying(
                    title: title,
                    candidate.description.map { HostileText.veiled($0, turn) }
                )
                try await Self.expectNothing(changedBy: changed, bench, "turn \(turn): \(title.debugDescription)")
            }
        }
    }

    @Test(arguments: Sight.allCases)
    func `no description is as good as one that says nothing`(sight: Sight) async throws {
        for (seed, bench) in try await Self.benches(sight).enumerated() {
            var generator = SeededGenerator(seed: UInt64(seed))
            let candidate = try bench.draw(&generator)
            let without = try await bench.standing(with: candidate.saying(nil))
            for text in HostileText.neutral {
                let neutral = try await bench.standing(with: candidate.saying(text))
                let difference = without.difference(from: neutral)
                #expect(difference == nil, "\(bench.found.stem), \(candidate.id), \(text): \(difference ?? "")")
            }
        }
    }
}
