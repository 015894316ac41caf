import Fixtures
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

@testable import Evaluation

/// What nobody judged is unknown, and not poor.
@Suite(.onOwnThreads) struct CoverageTests {
    /// Some judged vaults, each with only those judgments that a rule keeps.
    private static func cases(_ keeps: (Int, CandidateID) -> Bool) throws -> [FixtureCase] {
        try ["dev-01", "dev-02", "dev-03", "dev-04"].enumerated().map { place, stem in
            let whole = try FixtureLoader(readings: .rules).load("\(JudgedVaults.folder)/\(stem).json")
            let fixture = whole.fixture
            return FixtureCase(
                stem: stem,
                fixture: Fixture(
                    name: fixture.name,
                    story: fixture.story,
                    asOf: fixture.asOf,
                    request: fixture.request,
                    vault: fixture.vault,
                    candidates: CandidateList(fixture.candidates),
                    facts: fixture.facts,
                    judgments: fixture.judgments?.filter { keeps(place, $0.key) }
                ),
                reader: whole.reader,
                rates: whole.rates,
                digest: whole.digest,
                occasion: whole.occasion
            )
        }
    }

    private static func evaluation(
        _ cases: [FixtureCase],
        _ pipeline: String = ShippedPipelines.standard
    ) async throws -> PipelineEvaluation {
        let evaluator = Evaluator(engine: Engine(threads: 2), seed: 0, atOnce: 2) { found, _ in
            JudgedVaults.ports(found)
        }
        return try await evaluator.evaluate(ShippedPipelines.plan(pipeline), label: pipeline, over: cases)
    }

    private static let graded: [Figure] = [.precision, .dcg, .ndcg, .meanGrade, .delight]

    @Test func `a vault that shows what nobody judged is in no mean of grades, and is named`() async throws {
        let whole = try await Self.evaluation(Self.cases { _, _ in true })
        #expect(whole.ungraded.isEmpty)
        let first = try #require(whole.vaults[0].cards.first).candidate
        let second = Set(whole.vaults[1].cards.map(\.candidate))
        // One card of the first vault, all of the second, and everything of the third are not judged.
        let cases = try Self.cases { place, id in
            place == 0 ? id != first : place == 1 ? !second.contains(id) : place != 2
        }
        let part = try await Self.evaluation(cases)
        #expect(part.ungraded.map(\.name) == ["dev-01", "dev-02"])
        for figure in Self.graded {
            #expect(part.vaults.map { $0[figure] } == [nil, nil, nil, whole.vaults[3][figure]], "\(figure)")
            #expect(part.mean(figure) == whole.vaults[3][figure], "\(figure)")
            #expect(part.estimates[figure]?.undefinedCount == 3, "\(figure)")
        }
        #expect(part.vaults.map { $0[.judged] } == [2.0 / 3, 0, 0, 1])
        let verdict = Verdict(EvaluationSummary(part, readings: "rules", seed: 0))
        let told = verdict.details.joined(separator: " ")
        #expect(told.contains("dev-01") && told.contains("dev-02") && told.contains("nobody judged"), "\(told)")
        #expect(told.contains("judged@3 is 0.42"), "\(told)")
    }

    @Test func `where nothing is graded no grade is claimed`() async throws {
        let whole = try await Self.evaluation(Self.cases { _, _ in true })
        let shown = Set(whole.vaults.flatMap { $0.cards.map(\.candidate) })
        let cases = try Self.cases { _, id in !shown.contains(id) }
        let part = try await Self.evaluation(cases)
        let old = try await Self.evaluation(cases, "classic")
        #expect(part.mean(.meanGrade) == nil)
        for summary in [
            EvaluationSummary(part, readings: "rules", seed: 0),
            EvaluationSummary(part, against: old, readings: "rules", seed: 0),
        ] {
            let verdict = Verdict(summary)
            #expect(verdict.headline.hasPrefix("Too little of what"), "\(verdict.headline)")
            #expect(!verdict.details.joined().contains("mean grade is"), "\(verdict.details)")
        }
    }

    @Test func `the judge leaves the same vaults out as the evaluator`() async throws {
        let whole = try await Self.evaluation(Self.cases { _, _ in true })
        let first = try #require(whole.vaults[0].cards.first).candidate
        let cases = try Self.cases { place, id in place != 0 || id != first }
        let part = try await Self.evaluation(cases)
        let judge = Judge(engine: Engine(threads: 1), zones: ZoneDirectory())
        let figures = try judge.figures(
            of: ShippedPipelines.plan(ShippedPipelines.standard),
            label: "ours",
            over: cases
        )
        #expect(figures.ungraded.map(\.name) == ["dev-01"])
        for (mine, theirs) in [
            (figures.meanGrade, part.mean(.meanGrade)), (figures.precision, part.mean(.precision)),
            (figures.delightShare, part.mean(.delight)), (figures.judgedShare, part.mean(.judged)),
        ] {
            let (first, second) = (try #require(mine), try #require(theirs))
            #expect((first - second).magnitude < 1e-12)
        }
        #expect(figures.vaults[0].shown.contains { $0.grade == nil })
    }
}
