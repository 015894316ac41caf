import Fixtures
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

/// The same input, plan and seed give the same bytes, however the work is spread and ordered.
@Suite(.onOwnThreads) struct DeterminismTests {
    private static let single = Engine(threads: 1)
    private static let many = Engine(threads: 4)

    private static func text(
        _ fixtureCase: FixtureCase,
        _ pipeline: String,
        on engine: Engine,
        shuffle: UInt64? = nil
    ) async throws -> String {
        var options = JudgedVaults.options(fixtureCase)
        options.shuffle = shuffle
        let run = await engine.report(
            try ShippedPipelines.plan(pipeline),
            ports: JudgedVaults.ports(fixtureCase),
            options: options
        )
        return try #require(run.text())
    }

    @Test(arguments: JudgedVaults.some, ShippedPipelines.names)
    func `gives the same bytes twice, on one thread and on four, in any order`(
        stem: String,
        pipeline: String
    ) async throws {
        let fixtureCase = try JudgedVaults.load(stem)
        let first = try await Self.text(fixtureCase, pipeline, on: Self.single)
        // Compared by hand: a document printed twice explains nothing.
        let isSpread = try await Self.text(fixtureCase, pipeline, on: Self.many) == first
        #expect(isSpread)
        let isShuffled = try await Self.text(fixtureCase, pipeline, on: Self.many, shuffle: 1) == first
        #expect(isShuffled)
        let isRepeated = try await Self.text(fixtureCase, pipeline, on: Self.single, shuffle: 2) == first
        #expect(isRepeated)
    }

    @Test(arguments: JudgedVaults.stems)
    func `gives three choices, complete or degraded, for every judged vault`(stem: String) async throws {
        let fixtureCase = try JudgedVaults.load(stem)
        let run = await Self.many.report(
            try ShippedPipelines.plan(ShippedPipelines.standard),
            ports: JudgedVaults.ports(fixtureCase),
            options: JudgedVaults.options(fixtureCase)
        )
        #expect([.complete, .degraded].contains(run.outcome))
        #expect(Set(run.shown).count == 3)
        let world = Set(fixtureCase.fixture.candidates.map(\.id.text))
        #expect(world.isSuperset(of: run.shown))
    }

    @Test(arguments: JudgedVaults.some)
    func `chooses the same three however the file orders its candidates`(stem: String) async throws {
        let fixtureCase = try JudgedVaults.load(stem)
        let plan = try ShippedPipelines.plan(ShippedPipelines.standard)
        let options = JudgedVaults.options(fixtureCase)
        let usual = await Self.many.report(plan, ports: JudgedVaults.ports(fixtureCase), options: options)
        for seed in 1...2 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let other = fixtureCase.shuffled(using: &generator)
            let run = await Self.many.report(plan, ports: JudgedVaults.ports(other), options: options)
            #expect(run.shown == usual.shown, "seed \(seed)")
        }
    }
}

extension FixtureCase {
    /// The same case with its candidates in another order.
    fileprivate func shuffled(using generator: inout SeededGenerator) -> FixtureCase {
        FixtureCase(
            stem: stem,
            fixture: Fixture(
                name: fixture.name,
                story: fixture.story,
                asOf: fixture.asOf,
                request: fixture.request,
                vault: fixture.vault,
                candidates: CandidateList(fixture.candidates.shuffled(using: &generator)),
                facts: fixture.facts,
                judgments: fixture.judgments
            ),
            reader: reader,
            rates: rates,
            digest: digest,
            occasion: occasion
        )
    }
}
