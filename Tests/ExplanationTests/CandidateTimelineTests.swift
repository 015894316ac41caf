import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

@testable import Explanation

/// The life of one candidate, from where it came to where it ended.
@Suite(.onOwnThreads) struct CandidateTimelineTests {
    private static func life(
        of candidate: String,
        in scene: Scene = ExplainedScene.make()
    ) async throws -> CandidateTimeline {
        try RunExplanation(try await scene.run()).life(of: CandidateID(candidate))
    }

    @Test func `a dropped candidate's life ends with its drop`() async throws {
        let life = try await Self.life(of: "kiln")
        #expect(life.state == .dropped)
        #expect(life.steps.first == TimelineStep(node: "amazon", event: .retrieved))
        let last = try #require(life.steps.last)
        #expect(last.node == "within_budget")
        #expect(last.event == .dropped(reason: "over_budget", evidence: "90000 > 20000 USD"))
        #expect(life.lines().last == "In the end: dropped, by within_budget.")
    }

    @Test func `a chosen candidate was kept by every filter, scored by every scorer and checked`() async throws {
        let life = try await Self.life(of: "wheel")
        #expect(life.isChosen)
        let plan = try Scene.plan(ShippedPipelines.standard)
        let nodes = Set(life.steps.map(\.node))
        for node in plan.nodes where [.filter, .scorer, .combiner, .selector, .check].contains(node.stage.role) {
            #expect(nodes.contains(node.id), "\(node.id)")
        }
        guard case .chosen(_, "available", nil) = life.steps.last?.event else {
            Issue.record("expected a choice, found \(String(describing: life.steps.last))")
            return
        }
    }

    @Test func `the scorers' summands add up to the total that follows`() async throws {
        let life = try await Self.life(of: "socks")
        var sum = 0.0
        var total: Double?
        for step in life.steps {
            switch step.event {
            case .scored(let summand, _), .unscored(let summand): sum += summand.part
            case .totalled(let score, _, _): total = score
            default: break
            }
        }
        #expect(abs(sum - (try #require(total))) < 1e-12)
    }

    @Test func `what is sold out was selected and lost`() async throws {
        let life = try await Self.life(of: "radio")
        #expect(life.state == .lost)
        guard case .lost("sold_out", _) = life.steps.last?.event else {
            Issue.record("expected a loss, found \(String(describing: life.steps.last))")
            return
        }
    }

    @Test func `two of one id are one life`() async throws {
        var scene = ExplainedScene.make()
        scene.candidates.append(.invented("pan", "Cast iron pan", provider: .shopify))
        let life = try await Self.life(of: "pan", in: scene)
        #expect(life.steps.count { $0.event == .chosen(position: 1, verdict: "available", refilledFrom: nil) } <= 1)
        #expect(life.steps.contains { $0.event == .retrieved })
    }

    @Test func `an unknown candidate is an error that lists near ids`() async throws {
        let explanation = RunExplanation(try await ExplainedScene.make().run())
        do {
            _ = try explanation.life(of: CandidateID("pam"))
            Issue.record("an unknown candidate has a life")
        } catch {
            #expect(error.near.first == "pan")
            #expect(error.description.contains("pan"))
            #expect(error.count == 9)
        }
    }
}
