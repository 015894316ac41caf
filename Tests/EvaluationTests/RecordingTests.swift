import Fixtures
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

/// A recorded run of the whole pipeline, replayed without any world.
@Suite(.onOwnThreads) struct RecordingTests {
    private static let engine = Engine(threads: 2)

    /// Ports behind which there is nothing: a replay that touches one fails.
    private static func nowhere(_ ports: StagePorts) -> StagePorts {
        var ports = ports
        ports.vaults = Nowhere()
        ports.reader = Nowhere(name: ports.reader.name)
        ports.checker = Nowhere()
        ports.sink = Nowhere()
        ports.providers = ports.providers.mapValues { _ in Nowhere() }
        return ports
    }

    private static func record(
        _ fixtureCase: FixtureCase,
        _ pipeline: String = ShippedPipelines.standard
    ) async throws -> (run: EngineRun, cassette: Cassette) {
        let recorder = EffectRecorder()
        var options = JudgedVaults.options(fixtureCase, seed: 7)
        options.effects = .recording(recorder)
        let plan = try ShippedPipelines.plan(pipeline)
        let run = await engine.report(plan, ports: JudgedVaults.ports(fixtureCase), options: options)
        let cassette = Cassette(
            plan: plan.definition,
            request: .null,
            seed: 7,
            effects: recorder.recorded(inOrderOf: plan.nodes.map(\.id))
        )
        return (run, cassette)
    }

    private static func replay(
        _ cassette: Cassette,
        _ fixtureCase: FixtureCase,
        plan: Plan? = nil
    ) async throws -> EngineRun {
        var options = JudgedVaults.options(fixtureCase, seed: cassette.seed)
        options.effects = .replaying(CassettePlayer(cassette))
        let definition = try PipelineDefinition(json: cassette.plan, file: "recording")
        return await engine.report(
            try plan ?? Plan(definition, catalog: .knot),
            ports: nowhere(JudgedVaults.ports(fixtureCase)),
            options: options
        )
    }

    @Test(arguments: JudgedVaults.some) func `replays to the same bytes`(stem: String) async throws {
        let fixtureCase = try JudgedVaults.load(stem)
        for pipeline in ShippedPipelines.names {
            let (run, cassette) = try await Self.record(fixtureCase, pipeline)
            let read = try Cassette(ndjson: cassette.ndjson())
            let isSame = read.ndjson() == cassette.ndjson()
            #expect(isSame, "\(pipeline)")
            let again = try await Self.replay(read, fixtureCase)
            let texts = (run.text(), again.text())
            let isReplayed = texts.0 != nil && texts.0 == texts.1
            #expect(isReplayed, "\(pipeline)")
            #expect(again.plan.identity == run.plan.identity, "\(pipeline)")
        }
    }

    @Test func `names the kind and the node of any one effect that is missing`() async throws {
        let fixtureCase = try JudgedVaults.load("dev-01")
        let (_, cassette) = try await Self.record(fixtureCase)
        #expect(Set(cassette.effects.map(\.kind)).count >= 4)
        for place in cassette.effects.indices {
            var effects = cassette.effects
            let missing = effects.remove(at: place)
            let torn = Cassette(plan: cassette.plan, request: .null, seed: cassette.seed, effects: effects)
            let run = try await Self.replay(torn, fixtureCase)
            guard case .failure(let failure) = run.result else {
                // Looks at a reserve that turned out not to be needed are the only ones a run can do without.
                Issue.record("nobody missed the \(missing.kind) effect of \(missing.node)")
                continue
            }
            #expect(failure.code == StageFailure.effectMissing && failure.failureClass == .data)
            #expect(failure.detail.contains("\(missing.kind)") && failure.detail.contains("\(missing.node)"))
        }
    }

    @Test func `runs another plan on the old world`() async throws {
        let fixtureCase = try JudgedVaults.load("dev-02")
        let (run, cassette) = try await Self.record(fixtureCase)
        let settings = ["combine.hints=0.01", "combine.budget=1", "select.second_type=0.2"]
        let definition = try PipelineLoader(source: ShippedPipelines())
            .load(ShippedPipelines.standard, settings: settings.compactMap { CommandLineSetting($0) })
        let plan = try Plan(definition, catalog: .knot)
        let other = try await Self.replay(cassette, fixtureCase, plan: plan)
        #expect(other.plan.identity != run.plan.identity)
        // Another plan may want to look at offers that nobody looked at then: that alone may be missing.
        if case .failure(let failure) = other.result {
            #expect(failure.code == StageFailure.effectMissing && failure.detail.contains("availability.probe"))
        } else {
            #expect(other.ranked != run.ranked && other.shown.count == 3)
        }
        let same = try await Self.replay(
            cassette,
            fixtureCase,
            plan: Plan(
                PipelineLoader(source: ShippedPipelines())
                    .load(
                        ShippedPipelines.standard,
                        settings: [CommandLineSetting("present.telling=0.9")].compactMap(\.self)
                    ),
                catalog: .knot
            )
        )
        #expect(same.shown == run.shown && same.plan.identity != run.plan.identity)
    }

    @Test func `replays a run in which calls failed or came too late`() async throws {
        let fixtureCase = try JudgedVaults.load("dev-03")
        let recorder = EffectRecorder()
        var options = JudgedVaults.options(fixtureCase, seed: 3)
        options.effects = .recording(recorder)
        var ports = JudgedVaults.ports(fixtureCase)
        ports.providers[.yelp] = Nowhere()
        ports.checker = Endless()
        let plan = try Scene.plan(ShippedPipelines.standard, settings: ["check.patience_s=0.02"])
        let run = await Engine(threads: 2).report(plan, ports: ports, options: options)
        #expect(run.outcome == .degraded && run.codes.isSuperset(of: ["provider_failed", "availability_unknown"]))
        let cassette = Cassette(
            plan: plan.definition,
            request: .null,
            seed: 3,
            effects: recorder.recorded(inOrderOf: plan.nodes.map(\.id))
        )
        let again = try await Self.replay(cassette, fixtureCase, plan: plan)
        let isReplayed = again.text() == run.text()
        #expect(isReplayed)
    }
}

/// A world with nothing in it.
private struct Nowhere: VaultSource, HintReader, AvailabilityChecker, ChoiceSink, CandidateProvider {
    var name = "nowhere"
    let capabilities = ProviderCapability.wellKnown

    private func nothing() -> StageFailure { StageFailure(.provider, code: "nowhere", "there is no world behind this") }

    func vault(_ id: VaultID) async throws(StageFailure) -> Vault { throw nothing() }
    func reading(of vault: Vault, tier: OccasionTier, asOf: Instant) async throws(StageFailure) -> VaultReading {
        throw nothing()
    }
    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe { throw nothing() }
    func store(_ choices: ChoiceOfThree) async throws(StageFailure) -> Bool { throw nothing() }
    func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] { throw nothing() }
}

/// A checker that answers long after anybody waits, without holding a thread.
private struct Endless: AvailabilityChecker {
    func probe(_ candidate: Candidate) async throws(StageFailure) -> AvailabilityProbe {
        do {
            try await Task.sleep(for: .seconds(30))
        } catch {
            throw StageFailure(.cancelled, code: "cancelled", "the look was given up")
        }
        return AvailabilityProbe(status: 200, signal: .none, price: .notLooked)
    }
}
