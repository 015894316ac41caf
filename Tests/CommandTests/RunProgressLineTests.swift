import ChoiceText
import Composition
import Console
import Foundation
import PipelineInput
import Recommendation
import StageGraph
import Synchronization
import TestSupport
import Testing

@Suite(.onOwnThreads) struct `How far a run is` {
    private static func plan() throws -> Plan {
        try Pipelines.shipped.plan(.standard, experiment: nil, settings: [])
    }

    @Test func `is told in words and one bar that only grows`() throws {
        let plan = try Self.plan()
        let lines = Mutex<[String]>([])
        let progress = RunProgressLine { line in lines.withLock { $0.append(line) } }
        progress.observe(.began(plan, seed: 0, subject: ""))
        var filled = 0
        for node in plan.nodes {
            for event in [RunObservation.started(node.id, attempt: 1), .ended(node.id, .succeeded)] {
                progress.observe(event)
                guard let line = lines.withLock({ $0.popLast() }) else { continue }
                #expect(line.firstMatch(of: /^\[#*\.*\] [a-z]/) != nil, "\(line)")
                for odd in ["(StageGraph", "succeeded", "started", "_"] { #expect(!line.contains(odd), "\(line)") }
                let now = line.count { $0 == "#" }
                #expect(now >= filled)
                filled = now
            }
        }
        #expect(filled == 20)
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "there is no script(1)"),
        arguments: [("xterm", "", true), ("dumb", "", false), ("", "", false), ("xterm", "1", true)]
    )
    func `is shown where a line can be rewritten, and never by escapes`(
        term: String,
        noColour: String,
        isShown: Bool
    ) throws {
        let fixture = Repository.root.appendingPathComponent("fixtures/vaults/dev-01.json").path
        let outcome = try BuiltCommand.run(
            "script -qec '\"$KNOT\" run --fixture \(fixture) --model none --color never' /dev/null </dev/null",
            environment: ["TERM": term, "NO_COLOR": noColour]
        )
        #expect(outcome.code == 0)
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(outcome.output.contains("] asking yelp") == isShown, "\(outcome.output.prefix(2_000))")
        #expect(!outcome.output.contains("NodeState"))
    }
}
