import Explanation
import Fixtures
import Foundation
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

/// A run done again with one thing changed, and with nothing else changed.
@Suite(.onOwnThreads) struct HypothesisRunnerTests {
    @Test func `a changed parameter makes the plan that the command line would make`() throws {
        let setting = try #require(CommandLineSetting("combine.hints=0.31"))
        let run = try ExplainedScene.runner(ExplainedScene.make()).run(.setting(setting))
        let plan = try Scene.plan(ShippedPipelines.standard, settings: ["combine.hints=0.31"])
        #expect(run.plan.identity == plan.identity)
        #expect(run.plan.identity != (try Scene.plan(ShippedPipelines.standard)).identity)
    }

    @Test func `a value out of bounds and a node that is not there are problems`() throws {
        let runner = try ExplainedScene.runner(ExplainedScene.make())
        for text in ["combine.hints=7", "combine.nothing=1", "nobody.hints=0.5"] {
            let setting = try #require(CommandLineSetting(text))
            #expect(throws: PipelineError.self) { try runner.run(.setting(setting)) }
            #expect(runner.rerun(.setting(setting))?.seed == nil)
        }
    }

    @Test func `a kept candidate stands where it stood before`() async throws {
        let scene = ExplainedScene.make()
        let run = try ExplainedScene.runner(scene).run(.kept(ItemID("kiln"), at: "within_budget"))
        let plain = try await scene.run()
        let pool = try #require(plain.report.output(of: "aggregate", as: Pool<Offer>.self)).items.map(\.itemID)
        let before = try #require(plain.report.output(of: "within_budget", as: Pool<Offer>.self)).items.map(\.itemID)
        let after = try #require(run.report.output(of: "within_budget", as: Pool<Offer>.self)).items.map(\.itemID)
        #expect(!before.contains(ItemID("kiln")))
        #expect(after == pool.filter { before.contains($0) || $0 == ItemID("kiln") })
    }

    @Test func `keeping what was never dropped changes nothing`() async throws {
        let scene = ExplainedScene.make()
        let plain = try await scene.run()
        for hypothesis in [Hypothesis.kept(ItemID("pan"), at: "within_budget"), .kept(ItemID("kiln"), at: "check")] {
            let run = try ExplainedScene.runner(scene).run(hypothesis)
            #expect(run.text() == plain.text())
        }
    }

    /// What a recorded run of a judged vault is made of, for a recording holds whole vaults only.
    private static func recorded(
        _ stem: String
    ) async throws -> (run: EngineRun, effects: [RecordedEffect], ports: StagePorts) {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let found = try FixtureLoader().load(root.appending(path: "fixtures/vaults/\(stem).json").path)
        var ports = StagePorts(
            found,
            asOf: nil,
            embedder: nil,
            zones: ZoneDirectory(),
            clock: FixtureClock(found.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
        )
        let recorder = EffectRecorder()
        var options = RunOptions(seed: 3)
        options.effects = .recording(recorder)
        let run = await Scene.engine.report(
            try Scene.plan(ShippedPipelines.standard),
            ports: ports,
            options: options
        )
        // Nobody is outside any more: what is not recorded has no answer.
        let nobody = ReplayPorts(readerName: ports.reader.name)
        ports.vaults = nobody
        ports.reader = nobody
        ports.providers = .answering([nobody])
        ports.checker = nobody
        return (run, recorder.recorded(inOrderOf: run.plan.nodes.map(\.id)), ports)
    }

    @Test func `a recording answers what it was asked and says nothing of the rest`() async throws {
        let (run, effects, ports) = try await Self.recorded("dev-03")
        let runner = HypothesisRunner(plan: run.plan, ports: ports) {
            var options = RunOptions(seed: 3)
            options.effects = .replaying(CassettePlayer(effects))
            return options
        }
        let kept = try #require(run.shown.first)
        let same = try runner.run(.kept(ItemID(kept), at: "within_budget"))
        let isSame = same.text() == run.text()
        #expect(isSame, "what was never dropped changes nothing, and everything is answered: \(same.result)")
        let looked = Set(effects.filter { $0.kind == .availabilityProbe }.compactMap { $0.key.array?.first?.string })
        let pool = try #require(run.report.output(of: "aggregate", as: Pool<Offer>.self)).items.map(\.itemID.text)
        var failures = 0
        for id in pool where !looked.contains(id) {
            var search = ChangeSearch(run, candidate: CandidateID(id), limit: 2) { hypothesis in
                let again = runner.rerun(hypothesis)
                // Nobody looked at the page, so whether it could be had is not known: such a run shows nothing at all.
                let shown = Set(again.map(\.shown) ?? [])
                #expect(shown.isSubset(of: looked), "\(id)")
                if case .failure(let failure)? = again?.result { #expect(failure.code == StageFailure.effectMissing) }
                return again
            }
            let found = try search.search()
            failures += found.failures
            #expect(found.lines().contains { $0.contains("not known") } == (found.failures > 0), "\(id)")
        }
        #expect(failures > 0, "some of those would have been looked at")
    }
}
