import Evaluation
import Fixtures
import Foundation
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import TestSupport
import Testing

@testable import StageGraph

/// Recordings as the input of an evaluation.
@Suite(.onOwnThreads) struct RecordingLoaderTests {
    /// A recorded run of a judged vault, with changes to what it saw of the outside.
    private static func recording(
        _ fixtureCase: FixtureCase,
        breaking change: (inout StagePorts) -> Void = { _ in }
    ) async throws -> (run: EngineRun, cassette: Cassette) {
        let recorder = EffectRecorder()
        var options = JudgedVaults.options(fixtureCase)
        options.effects = .recording(recorder)
        var ports = JudgedVaults.ports(fixtureCase)
        change(&ports)
        let plan = try ShippedPipelines.plan(ShippedPipelines.standard)
        let run = await Engine(threads: 2).report(plan, ports: ports, options: options)
        let request = RecordedRequest(
            request: ports.request,
            reader: ports.reader.name,
            rates: ports.rates,
            inputDigest: fixtureCase.digest
        )
        let effects = recorder.recorded(inOrderOf: plan.nodes.map(\.id))
        return (run, Cassette(plan: plan.definition, request: request.json, seed: 0, effects: effects))
    }

    /// Loads a recording from a file that is gone afterwards.
    private static func load(_ bytes: [UInt8], _ loader: RecordingLoader = RecordingLoader()) throws -> FixtureCase {
        let path = NSTemporaryDirectory() + "\(UUID().uuidString).cassette"
        try Data(bytes).write(to: URL(filePath: path))
        let found = Result { try loader.load(path) }
        try FileManager.default.removeItem(atPath: path)
        return try found.get()
    }

    /// The same recording as if it had been made at another time.
    private static func moved(_ cassette: Cassette, to time: String) throws -> Cassette {
        var request = try #require(cassette.request.object)
        request["as_of"] = .string(time)
        return Cassette(plan: cassette.plan, request: .object(request), seed: cassette.seed, effects: cassette.effects)
    }

    private static func evaluated(_ cases: [FixtureCase]) async throws -> PipelineEvaluation {
        let evaluator = Evaluator(engine: Engine(threads: 2), seed: 0, atOnce: 1) { found, _ in
            JudgedVaults.ports(found)
        }
        return try await evaluator.evaluate(
            ShippedPipelines.plan(ShippedPipelines.standard),
            label: "ours",
            over: cases
        )
    }

    @Test func `a recording that was cut short or changed is refused`() async throws {
        let bytes = try await Self.recording(JudgedVaults.load("dev-01")).cassette.ndjson()
        #expect(RecordingLoader.isRecording(bytes) && !RecordingLoader.isRecording("{}".utf8))
        #expect(throws: FixtureError.self) { try Self.load(Array(bytes.dropLast(80))) }
        #expect(throws: FixtureError.self) { try Self.load(bytes.map { $0 == UInt8(ascii: "7") ? $0 + 1 : $0 }) }
        #expect(throws: FixtureError.self) { try Self.load(Array("{\"schema\":\"knot.cassette/2\"}\n".utf8)) }
        #expect(throws: FixtureError.self) { try RecordingLoader().load("/no/such.cassette") }
    }

    @Test(arguments: [
        (EffectKind.vaultRead, "no vault"), (.providerSearch, "candidates"), (.hintReading, "readings"),
        (.availabilityProbe, "look at a page"),
    ])
    func `effects that cannot be read are named`(kind: EffectKind, words: String) async throws {
        let cassette = try await Self.recording(JudgedVaults.load("dev-01")).cassette
        let effects = cassette.effects.compactMap { effect -> RecordedEffect? in
            guard effect.kind == kind else { return effect }
            guard kind != .vaultRead else { return nil }
            return RecordedEffect(kind: kind, node: effect.node, key: effect.key, answer: .value([["id": 7]]))
        }
        let broken = Cassette(plan: cassette.plan, request: cassette.request, seed: 0, effects: effects)
        do {
            _ = try Self.load(broken.ndjson())
            Issue.record("nobody noticed")
        } catch let error as FixtureError {
            #expect(error.code == .malformed && error.message.contains(words), "\(error)")
        }
    }

    @Test func `a provider that failed then fails again`() async throws {
        let recorded = try await Self.recording(JudgedVaults.load("dev-02")) { $0.providers[.yelp] = Refusing() }
        let found = try Self.load(recorded.cassette.ndjson())
        #expect(Array(found.lostProviders.keys) == [.yelp])
        let vault = try #require(try await Self.evaluated([found]).vaults.first)
        #expect(vault.outcome == .degraded && recorded.run.outcome == .degraded)
        #expect(vault.cards.map(\.candidate) == recorded.run.candidateIDs)
    }

    @Test(arguments: ["dev-01", "dev-07", "dev-19"])
    func `the recorded set comes out again, with the figures of the fixture`(stem: String) async throws {
        let fixtureCase = try JudgedVaults.load(stem)
        let recorded = try await Self.recording(fixtureCase)
        let found = try Self.load(recorded.cassette.ndjson(), RecordingLoader(judged: [fixtureCase]))
        #expect(found.occasion == fixtureCase.occasion && found.fixture.asOf == fixtureCase.fixture.asOf)
        let vaults = try await Self.evaluated([found, fixtureCase]).vaults
        #expect(vaults[0].cards.map(\.candidate) == recorded.run.candidateIDs)
        #expect(vaults[0].figures == vaults[1].figures && vaults[0].gates == vaults[1].gates)
    }

    @Test func `a page that said it was sold out says so again`() async throws {
        let fixtureCase = try JudgedVaults.load("dev-03")
        let recorded = try await Self.recording(fixtureCase)
        let shown = try #require(recorded.run.candidateIDs.first)
        let effects = recorded.cassette.effects.map { effect in
            guard effect.kind == .availabilityProbe, effect.key.array?.first?.string == shown.text else {
                return effect
            }
            let probe = AvailabilityProbe(status: 200, signal: .outOfStock, price: .notLooked)
            return RecordedEffect(kind: effect.kind, node: effect.node, key: effect.key, answer: .value(probe.json))
        }
        let changed = Cassette(
            plan: recorded.cassette.plan,
            request: recorded.cassette.request,
            seed: 0,
            effects: effects
        )
        let found = try Self.load(changed.ndjson())
        #expect(found.fixture.facts[shown]?.check == .soldOut)
        let vault = try #require(try await Self.evaluated([found]).vaults.first)
        #expect(!vault.cards.map(\.candidate).contains(shown) && vault.cards.count == 3)
    }

    @Test func `without judgments only what needs none is defined`() async throws {
        let other = try JudgedVaults.load("dev-02")
        let recorded = try await Self.recording(JudgedVaults.load("dev-01"))
        let found = try Self.load(recorded.cassette.ndjson(), RecordingLoader(judged: [other]))
        #expect(found.fixture.judgments == nil)
        // Judged for another day is not judged for this one.
        let later = try Self.load(
            Self.moved(recorded.cassette, to: "2026-12-01T12:00:00Z").ndjson(),
            RecordingLoader(judged: [JudgedVaults.load("dev-01")])
        )
        #expect(later.fixture.asOf == Instant(iso8601: "2026-12-01T12:00:00Z") && later.fixture.judgments == nil)
        let evaluation = try await Self.evaluated([found])
        let vault = try #require(evaluation.vaults.first)
        #expect(!vault.isJudged && vault.cards.count == 3 && vault[.judged] == 0)
        for figure in [Figure.precision, .dcg, .ndcg, .meanGrade, .delight, .calibrationRegret] {
            #expect(vault[figure] == nil, "\(figure)")
        }
        for figure in [Figure.diversity, .novelty, .kinds] { #expect(vault[figure] != nil, "\(figure)") }
        let summary = EvaluationSummary(evaluation, readings: "recorded", seed: 0)
        #expect(Verdict(summary).headline == "Nobody judged what ours shows.")
        #expect(summary.vaultWords == "1 vault without judgments")
        #expect(summary.testedFigures == [.diversity])
        let compared = EvaluationSummary(evaluation, against: evaluation, readings: "recorded", seed: 0)
        #expect(Verdict(compared).details == ["ours keeps every gate."])
        #expect(ReportPage(compared).html.hasSuffix("</html>\n"))
    }
}

extension EngineRun {
    fileprivate var candidateIDs: [CandidateID] {
        if case .success(let set) = result { set.choices.map(\.offer.candidate.id) } else { [] }
    }
}

/// A provider that always fails.
private struct Refusing: CandidateProvider {
    let capabilities = ProviderCapability.wellKnown

    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
        throw StageFailure(.provider, code: "refused", "the service is not there")
    }
}
