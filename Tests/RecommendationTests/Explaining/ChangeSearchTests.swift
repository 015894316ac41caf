import JSONDocument
import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

/// The smallest single change that would have chosen a candidate, never told without having been tried.
@Suite struct ChangeSearchTests {
    private static func search(
        _ candidate: String,
        in scene: Scene = ExplainedScene.make(),
        limit: Int = ChangeSearch.defaultLimit
    ) async throws -> SmallestChange {
        let runner = try ExplainedScene.runner(scene)
        var search = ChangeSearch(
            try await scene.run(),
            candidate: CandidateID(candidate),
            limit: limit,
            rerun: runner.rerun
        )
        return try search.search()
    }

    /// The better of the two camera things is chosen; this is the other one.
    private static func nearMiss() async throws -> String {
        try await ExplainedScene.make().run().shown.contains("camera") ? "lens" : "camera"
    }

    @Test func `every change told for one just not chosen holds in an independent run, and half of the best does not`()
        async throws
    {
        let scene = ExplainedScene.make()
        let candidate = try await Self.nearMiss()
        let found = try await Self.search(candidate)
        #expect(found.changes.map(\.relativeChange) == found.changes.map(\.relativeChange).sorted())
        #expect(found.changes.contains { if case .parameter = $0.change { true } else { false } })
        for change in found.changes {
            guard case .parameter(let node, let name, let from, let to) = change.change else { continue }
            let again = try await scene.run(settings: ["\(node).\(name)=\(JSONWriter.text(to, style: .compact))"])
            #expect(again.shown.contains(candidate), "\(node).\(name)")
            #expect(again.shown == change.choices.map(\.text))
            guard change.change == found.best?.change, change.isNarrowed, let start = from.double, let end = to.double,
                from.int == nil || to.int == nil
            else { continue }
            let less = try await scene.run(settings: ["\(node).\(name)=\((start + end) / 2)"])
            #expect(!less.shown.contains(candidate), "\(node).\(name)")
        }
    }

    @Test func `one that the budget forbids needs the filter's verdict`() async throws {
        let found = try await Self.search("kiln")
        let verdict = ConfirmedChange.Change.verdict(
            node: "within_budget",
            reason: "over_budget",
            evidence: "90000 > 20000 USD"
        )
        #expect(found.changes.map(\.change) == [verdict])
        #expect(found.best?.choices.map(\.text).contains("kiln") == true)
        #expect(found.vain.isEmpty)
    }

    @Test func `sparing one candidate spares no other`() async throws {
        let scene = ExplainedScene.make()
        let run = try ExplainedScene.runner(scene).run(.kept(ItemID("kiln"), at: "within_budget"))
        #expect(run.end(of: "lamp") == .dropped)
        #expect(run.end(of: "kiln") == .chosen)
        #expect(run.report.ledger.violations.isEmpty)
    }

    @Test func `a verdict that would not have helped says what would have come then`() async throws {
        let found = try await Self.search("lamp")
        #expect(found.changes.isEmpty)
        let vain = try #require(found.vain.first)
        #expect(vain.node == "within_budget")
        #expect(vain.decidedBy == "check" || vain.decidedBy == "select")
        #expect(found.lines().first == "No single change that was tried would have chosen lamp.")
    }

    @Test func `one that could not be had would have been chosen had it been there`() async throws {
        let found = try await Self.search("radio", limit: 10)
        #expect(
            found.changes.contains {
                if case .availability(node: "check", reason: "sold_out", _) = $0.change { true } else { false }
            }
        )
    }

    @Test func `what was chosen needs no change and no run`() async throws {
        let found = try await Self.search("wheel")
        #expect(found.isChosen && found.reruns == 0 && found.changes.isEmpty)
    }

    @Test func `the limit of runs holds and is told`() async throws {
        let found = try await Self.search("socks", limit: 7)
        #expect(found.reruns == 7)
        #expect(found.hasReachedLimit)
        #expect(found.lines().last?.contains("limit of 7 runs") == true)
    }

    @Test func `a change that makes no plan is no change`() async throws {
        let scene = ExplainedScene.make()
        var search = ChangeSearch(try await scene.run(), candidate: CandidateID("socks"), limit: 30) { _ in nil }
        let found = try search.search()
        #expect(found.changes.isEmpty)
        #expect(found.reruns == 30)
    }

    @Test func `the same question has the same answer`() async throws {
        let candidate = try await Self.nearMiss()
        let first = try await Self.search(candidate, limit: 60)
        let second = try await Self.search(candidate, limit: 60)
        #expect(first.lines() == second.lines())
        let explanation = RunExplanation(try await ExplainedScene.make().run())
        let life = try explanation.life(of: CandidateID(candidate))
        let texts = [first, second].map {
            JSONWriter.text(explanation.json(life: life, change: $0), style: .canonical)
        }
        #expect(texts[0] == texts[1])
    }

    @Test func `an unknown candidate is an error`() async throws {
        await #expect(throws: UnknownCandidateError.self) { try await Self.search("nobody") }
    }
}
