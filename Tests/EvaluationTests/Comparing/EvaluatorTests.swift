import Fixtures
import Foundation
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

@testable import Evaluation

@Suite(.onOwnThreads) struct EvaluatorTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "fixtures/vaults").path

    private static func cases() throws -> [FixtureCase] {
        try (1...4).map { try FixtureLoader(readings: .rules).load("\(folder)/dev-0\($0).json") }
    }

    private static func evaluation(_ pipeline: String, atOnce: Int) async throws -> PipelineEvaluation {
        let evaluator = Evaluator(engine: Engine(threads: 2), seed: 0, atOnce: atOnce) { found, _ in
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

    @Test func `entropy and personalisation are over all that was shown, forbidden or not`() async throws {
        let evaluation = try await Self.evaluation("classic", atOnce: 2)
        let addresses = try zip(Self.cases(), evaluation.vaults).map { found, vault in
            try vault.cards.map { card in
                let candidate = found.fixture.candidates.first { $0.id == card.candidate }
                return try #require(candidate).url
            }
        }
        let shown = addresses.flatMap(\.self)
        #expect(evaluation.count(.forbidden) > 0)
        let counts = Dictionary(grouping: shown) { $0 }.values.map { Double($0.count) / Double(shown.count) }
        let entropy = counts.reduce(0) { $0 - $1 * log2($1) }
        // Sums of a dozen logarithms in another order.
        let found = try #require(evaluation.exposure.entropy)
        #expect((found - entropy).magnitude < 1e-12)
    }

    @Test(arguments: Baseline.allCases)
    func `a baseline takes the longest or best rated of what the filters left, and nothing else`(
        baseline: Baseline
    ) throws {
        let judge = Judge(engine: Engine(threads: 1), zones: ZoneDirectory())
        let cases = try Self.cases()
        let ours = try judge.figures(of: ShippedPipelines.plan("choice-of-three"), label: "ours", over: cases)
        let other = ours.chosen(by: baseline, label: "other")
        #expect(other.shownCount == 12 && other.vaults.map(\.name) == ours.vaults.map(\.name))
        for (found, (own, chosen)) in zip(cases, zip(ours.vaults, other.vaults)) {
            func form(_ card: JudgedVault.Shown) throws -> Double {
                let candidate = try #require(found.fixture.candidates.first { $0.id == card.candidate })
                return baseline == .longest ? Double(candidate.description?.count ?? 0) : candidate.rating ?? 0
            }
            let taken = Set(chosen.shown.map(\.candidate))
            let least = try #require(try chosen.shown.map(form).min())
            // The pipeline's own cards passed its filters as well.
            for card in own.shown where !taken.contains(card.candidate) {
                #expect(try form(card) <= least, "\(own.name): \(card.candidate)")
            }
        }
        #expect(other.meanGrade ?? 3 < ours.meanGrade ?? 0)
    }

    @Test func `counts what the judges and the facts say`() async throws {
        let evaluation = try await Self.evaluation("classic", atOnce: 2)
        let judge = Judge(engine: Engine(threads: 1), zones: ZoneDirectory())
        let figures = try judge.figures(of: ShippedPipelines.plan("classic"), label: "classic", over: Self.cases())
        #expect(evaluation.count(.forbidden) == figures.forbiddenCount && figures.forbiddenCount > 0)
        let (grade, judged) = (try #require(evaluation.mean(.meanGrade)), try #require(figures.meanGrade))
        #expect((grade - judged).magnitude < 1e-12)
        let (share, same) = (try #require(evaluation.mean(.precision)), try #require(figures.precision))
        #expect((share - same).magnitude < 1e-12)
        #expect(evaluation.count(.short) == 0 && evaluation.mean(.judged) == 1)
        for vault in evaluation.vaults {
            #expect(try (0...1).contains(#require(vault[.ndcg])), "\(vault.name)")
            #expect(try #require(vault[.calibrationRegret]) >= 0, "\(vault.name)")
            #expect(vault.cards.allSatisfy { $0.broken.contains(.forbidden) == $0.isForbidden }, "\(vault.name)")
        }
    }
}
