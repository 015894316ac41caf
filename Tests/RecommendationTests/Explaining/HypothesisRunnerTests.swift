import JSONDocument
import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

/// A run done again with one thing changed, and with nothing else changed.
@Suite struct HypothesisRunnerTests {
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

    @Test(.disabled("the invented vault is none that a recording can hold: it needs a judged one"))
    func `a recording answers what it was asked and says nothing of the rest`() async throws {
        let scene = ExplainedScene.make()
        let recorder = EffectRecorder()
        let run = try await scene.run(options: RunOptions(effects: .recording(recorder)))
        let plan = try Scene.plan(ShippedPipelines.standard)
        let effects = recorder.recorded(inOrderOf: plan.nodes.map(\.id))
        let runner = HypothesisRunner(plan: plan, ports: scene.ports()) {
            RunOptions(effects: .replaying(CassettePlayer(effects)))
        }
        var search = ChangeSearch(run, candidate: CandidateID("kiln"), limit: 3, rerun: runner.rerun)
        let found = try search.search()
        // Nobody looked at the page of what was too dear, so whether it could be had is not known.
        #expect(found.changes.isEmpty)
        #expect(found.failures > 0)
        #expect(found.lines().contains { $0.contains("not known") })
    }
}
