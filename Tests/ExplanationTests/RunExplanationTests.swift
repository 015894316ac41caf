import Explanation
import JSONDocument
import KnotDomain
import Recommendation
import StageGraph
import TestSupport
import Testing

/// Why these three: sums that add up, runners-up with their reason, and nothing of what hints say.
@Suite(.onOwnThreads) struct RunExplanationTests {
    @Test func `the summands of every choice add up to its score`() async throws {
        let explanation = RunExplanation(try await ExplainedScene.make().run())
        #expect(explanation.choices.count == 3)
        for choice in explanation.choices {
            #expect(abs(choice.summands.reduce(0) { $0 + $1.part } - choice.score) < 1e-12)
            for summand in choice.summands {
                guard let value = summand.value, let weight = summand.weight else { continue }
                #expect(abs(value * weight - summand.part) < 1e-9, "\(summand.name)")
            }
        }
    }

    @Test func `the weights read off a ranking are those the combiner was given`() async throws {
        let run = try await ExplainedScene.make().run()
        let node = try #require(run.plan["combine"])
        let set = node.parameters.settings.filter { $0.key != "ordinary" }.mapValues { $0.value.double ?? 0 }
        let sum = set.values.reduce(0, +)
        let choice = try #require(RunExplanation(run).choices.first)
        #expect(choice.summands.contains { $0.name == "hints" && $0.weight != nil })
        for summand in choice.summands {
            guard let weight = summand.weight else { continue }
            #expect(abs(weight - (set[summand.name] ?? 0) / sum) < 1e-9, "\(summand.name)")
        }
    }

    @Test func `a product of factors is told without weights`() async throws {
        var scene = ExplainedScene.make()
        scene.likes = ["Art", "Cooking"]
        scene.vibes = [.romantic]
        let explanation = RunExplanation(try await scene.run("classic"))
        for choice in explanation.choices {
            #expect(abs(choice.summands.reduce(0) { $0 + $1.part } - choice.score) < 1e-9)
            #expect(choice.summands.last?.name == "type")
        }
        #expect(explanation.runnersUp.allSatisfy { $0.obstacle != .survivorsStay })
    }

    @Test func `hints are told by id and day and not by text`() async throws {
        let scene = ExplainedScene.make()
        let run = try await scene.run()
        let explanation = RunExplanation(run)
        let life = try explanation.life(of: CandidateID("wheel"))
        let told =
            (explanation.lines() + life.lines()).joined(separator: " ")
            + JSONWriter.text(explanation.json(life: life), style: .compact)
        for hint in scene.hints { #expect(!told.contains(hint.text.prefix(12))) }
        #expect(told.contains("hint-1"))
        #expect(told.contains("2026-02-19"))
        let open = RunExplanation(run, showsHints: true)
        #expect(JSONWriter.text(open.json(), style: .compact).contains(scene.hints[0].text))
    }

    @Test func `a runner-up behind a hard rule names the rule and its neighbour`() async throws {
        var scene = ExplainedScene.make()
        scene.candidates.append(
            .invented(
                "skillet",
                "Cast iron pan, large",
                price: 9_000,
                merchant: "House of pan",
                rating: 4.6,
                reviews: 110
            )
        )
        // Without the two cameras and with no wish for difference, only the rule can keep the second pan out.
        scene.candidates.removeAll { ["camera", "lens"].contains($0.id.text) }
        let run = try await scene.run(settings: ["select.strength=0", "check.strength=0"])
        let loser = run.shown.contains("pan") ? "skillet" : "pan"
        let winner = loser == "pan" ? "skillet" : "pan"
        let runnerUp = try #require(RunExplanation(run).runnersUp.first { $0.candidate.text == loser })
        guard case .rule(let rule, let beside) = runnerUp.obstacle else {
            Issue.record("expected a rule, found \(runnerUp.obstacle)")
            return
        }
        #expect(["distinct_merchants", "no_near_duplicates"].contains(rule))
        #expect(beside.map(\.text) == [winner])
    }

    @Test func `a runner-up that was lost says so and another has its gap`() async throws {
        let run = try await ExplainedScene.make().run()
        let runnersUp = RunExplanation(run).runnersUp
        let radio = try #require(runnersUp.first { $0.candidate.text == "radio" })
        guard case .lost("sold_out", _) = radio.obstacle else {
            Issue.record("expected a loss, found \(radio.obstacle)")
            return
        }
        let socks = try #require(runnersUp.first { $0.candidate.text == "socks" })
        guard case .lowerValue(let gap, _) = socks.obstacle else {
            Issue.record("expected a lower value, found \(socks.obstacle)")
            return
        }
        #expect(gap > 0 && socks.gap > 0)
    }

    @Test func `what was taken out is counted by node and reason`() async throws {
        let run = try await ExplainedScene.make().run()
        let removals = RunExplanation(run).removals
        #expect(removals.contains { $0.node == "dislikes" && $0.reason == "disliked" && $0.count == 1 })
        #expect(removals.contains { $0.node == "within_budget" && $0.reason == "over_budget" && $0.count == 2 })
        #expect(removals.contains { $0.state == .lost && $0.reason == "sold_out" && $0.count == 1 })
        let dropped = removals.filter { $0.state == .dropped }.reduce(0) { $0 + $1.count }
        #expect(dropped == run.report.counts[.dropped])
    }

    @Test func `no line is wider than 80 columns and none can move the cursor`() async throws {
        var scene = ExplainedScene.make()
        scene.candidates.append(
            .invented("wide", "Pottery wheel class \u{1B}[31m" + String(repeating: "陶", count: 300), price: 9_900)
        )
        let run = try await scene.run(settings: ["select.no_near_duplicates=false"])
        let explanation = RunExplanation(run, showsHints: true)
        var lines = explanation.lines()
        for id in ["wide", "kiln", "wheel"] { lines += try explanation.life(of: CandidateID(id)).lines() }
        for line in lines {
            let columns = line.reduce(0) { $0 + ($1.isASCII ? 1 : $1 == "陶" ? 2 : 1) }
            #expect(columns <= 80, "\(line)")
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
        }
    }

    @Test func `a failed run is explained by its failure`() async throws {
        var scene = ExplainedScene.make()
        scene.occasion = .milestone(MilestoneID("none"))
        let explanation = RunExplanation(try await scene.run())
        #expect(explanation.choices.isEmpty)
        #expect(explanation.lines().first?.contains("failed") == true)
        #expect(explanation.json()["failure"]?["code"]?.string == "no_milestone")
    }
}
