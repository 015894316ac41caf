import Foundation
import KnotDomain
import Recommendation
import StageGraph
import Testing

@testable import Evaluation

@Suite struct EvaluatorTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "fixtures/vaults").path

    private static func cases() throws -> [FixtureCase] {
        try (1...4).map { try FixtureLoader(readings: .rules).load("\(folder)/dev-0\($0).json") }
    }

    private static func evaluation(_ pipeline: String, atOnce: Int) async throws -> PipelineEvaluation {
        let evaluator = Evaluator(engine: Engine(threads: 2), seed: 0, atOnce: atOnce) { found in
            StagePorts(
                found,
                asOf: nil,
                zones: ZoneDirectory(),
                clock: FixtureClock(found.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
            )
        }
        return try await evaluator.evaluate(ShippedPipelines.plan(pipeline), label: pipeline, over: cases())
    }

    @Test func `finds the same however many vaults run at once`() async throws {
        let one = try await Self.evaluation("classic", atOnce: 1)
        let many = try await Self.evaluation("classic", atOnce: 3)
        #expect(one.vaults.map(\.name) == ["dev-01", "dev-02", "dev-03", "dev-04"])
        #expect(one.vaults.map(\.figures) == many.vaults.map(\.figures))
        #expect(one.vaults.map { $0.cards.map(\.candidate) } == many.vaults.map { $0.cards.map(\.candidate) })
        #expect(one.estimates == many.estimates)
    }

    @Test func `counts what the judges and the facts say`() async throws {
        let evaluation = try await Self.evaluation("classic", atOnce: 2)
        let judge = Judge(engine: Engine(threads: 1), zones: ZoneDirectory())
        let figures = try judge.figures(of: ShippedPipelines.plan("classic"), label: "classic", over: Self.cases())
        #expect(evaluation.count(.forbidden) == figures.forbiddenCount && figures.forbiddenCount > 0)
        #expect((try #require(evaluation.mean(.meanGrade)) - figures.meanGrade).magnitude < 1e-12)
        #expect((try #require(evaluation.mean(.precision)) - figures.precision).magnitude < 1e-12)
        #expect(evaluation.count(.short) == 0 && evaluation.mean(.judged) == 1)
        for vault in evaluation.vaults {
            #expect(try (0...1).contains(#require(vault[.ndcg])), "\(vault.name)")
            #expect(try #require(vault[.calibrationRegret]) >= 0, "\(vault.name)")
            #expect(vault.cards.allSatisfy { $0.broken.contains(.forbidden) == $0.isForbidden }, "\(vault.name)")
        }
    }
}
