import Evaluation
import Explanation
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

/// How far greedy selectors fall below the best set on their own objective.
@Suite(.onOwnThreads) struct OptimalityGapTests {
    private static func gap(_ stem: String, method: String?, _ settings: [String] = []) async throws -> Double? {
        let fixtureCase = try JudgedVaults.load(stem)
        var layers: [ExperimentLayer] = []
        if let method {
            layers.append(
                ExperimentLayer(
                    file: "greedy.json",
                    patch: [
                        "nodes": [
                            "select": [
                                "kind": "select.greedy", "parameters": ["strength": .null, "method": .string(method)],
                            ]
                        ]
                    ]
                )
            )
        }
        let definition = try PipelineLoader(source: ShippedPipelines()).load(
            ShippedPipelines.standard,
            experiments: layers,
            settings: settings.compactMap { CommandLineSetting($0) }
        )
        let plan = try Plan(definition, catalog: .knot)
        let evaluator = Evaluator(engine: Engine(threads: 2), seed: 0, atOnce: 1) { found, _ in
            JudgedVaults.ports(found)
        }
        let evaluation = await evaluator.evaluate(plan, label: method ?? "exact", over: [fixtureCase])
        return evaluation.vaults.first?[.optimalityGap]
    }

    @Test(arguments: JudgedVaults.stems.prefix(6))
    func `is nothing for the exact search and a part of a hundred for the others`(stem: String) async throws {
        #expect(try await Self.gap(stem, method: nil) == 0)
        for method in ["mmr", "dpp"] {
            let gap = try #require(try await Self.gap(stem, method: method))
            #expect((0..<100).contains(gap), "\(method): \(gap)")
        }
    }

    @Test func `is nothing where scores alone decide, and something where a greedy start is a mistake`() async throws {
        var greatest = 0.0
        for stem in JudgedVaults.stems.prefix(8) {
            let alone = try #require(
                try await Self.gap(stem, method: "mmr", ["select.lambda=1"])
            )
            #expect(alone < 1e-12, "\(stem): \(alone)")
            greatest = max(greatest, try await Self.gap(stem, method: "mmr", ["select.lambda=0.3"]) ?? 0)
        }
        #expect(greatest > 0)
    }

    @Test func `is not defined for a selector that has no objective`() async throws {
        let fixtureCase = try JudgedVaults.load("dev-01")
        let evaluator = Evaluator(engine: Engine(threads: 2), seed: 0, atOnce: 1) { found, _ in
            JudgedVaults.ports(found)
        }
        let evaluation = try await evaluator.evaluate(
            ShippedPipelines.plan("classic"),
            label: "classic",
            over: [fixtureCase]
        )
        #expect(evaluation.vaults.first?[.optimalityGap] == nil && evaluation.mean(.optimalityGap) == nil)
    }
}
