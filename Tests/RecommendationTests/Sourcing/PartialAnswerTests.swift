import Fixtures
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import Synchronization
import TestSupport
import Testing

/// Providers that have something, and say that it is not all.
@Suite("An answer that falls short") struct PartialAnswerTests {
    /// Amazon on a bad day; keeps when it was asked and how long it had.
    private final class BadDay: CandidateProvider {
        let capabilities = [ProviderCapability.known(as: .amazon)]
        private let heard = Mutex<[(asked: ContinuousClock.Instant, answerBy: ContinuousClock.Instant?)]>([])
        var times: [(asked: ContinuousClock.Instant, answerBy: ContinuousClock.Instant?)] { heard.withLock { $0 } }

        func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
            heard.withLock { $0.append((.now, query.answerBy)) }
            query.shortfalls.note("only the first shelf was looked at")
            query.shortfalls.note("only the first shelf was looked at")
            return ["kite", "loom", "bell"].map { .invented($0, "Brass \($0)", ships: 2) }
        }
    }

    private static func run(
        _ provider: any CandidateProvider,
        _ effects: EffectMode = .live,
        patch: JSONValue? = nil,
        of fixture: FixtureCase? = nil
    ) async throws -> EngineRun {
        var scene = Scene()
        scene.location = Place(city: "Lisbon", state: nil, country: "PT")
        var ports =
            fixture.map { StagePorts($0, asOf: nil, zones: ZoneDirectory(), clock: FixtureClock(scene.now)) }
            ?? scene.ports()
        ports.providers = .answering([ReplayPorts(), provider])
        for name in [ProviderName.yelp, .ticketmaster, .shopify, .firecrawl] { ports.providers[name] = nil }
        // As long as debug builds on a busy machine need.
        var options = RunOptions(deadline: .seconds(600))
        options.effects = effects
        return await Scene.engine.report(
            try Scene.plan(ShippedPipelines.standard, patch: patch),
            ports: ports,
            options: options
        )
    }

    private static func told(_ run: EngineRun) -> [RunReason] {
        run.report.reasons.filter { $0.code == "provider_partial" }
    }

    private static let expected = RunReason(
        code: "provider_partial",
        node: "amazon",
        detail: "amazon answered in part: only the first shelf was looked at",
        degrades: true
    )

    @Test func `is used, and the run says once who gave it and why`() async throws {
        let run = try await Self.run(BadDay())
        #expect(Set(run.shown) == ["kite", "loom", "bell"] && run.outcome == .degraded)
        #expect(Self.told(run) == [Self.expected])
    }

    @Test func `is recorded, and replayed without the provider`() async throws {
        let recorder = EffectRecorder()
        // A scene's vault is none that can be written.
        let fixture = try #require(try JudgedFixtures.all().first)
        let run = try await Self.run(BadDay(), .recording(recorder), of: fixture)
        let written = Cassette(
            plan: run.plan.definition,
            request: .null,
            seed: 0,
            effects: recorder.recorded(inOrderOf: run.plan.nodes.map(\.id))
        )
        let cassette = try Cassette(ndjson: written.ndjson())
        let again = try await Self.run(ReplayPorts(), .replaying(CassettePlayer(cassette)), of: fixture)
        #expect(Self.told(run) == [Self.expected], "\(run.result)")
        #expect(Self.told(again) == [Self.expected], "\(again.result)")
        #expect(again.shown == run.shown && again.text() == run.text())
    }

    @Test(arguments: [2, 3])
    func `comes from a provider that knows how long the run waits for it`(seconds: Int) async throws {
        let provider = BadDay()
        let start = ContinuousClock.now
        _ = try await Self.run(provider, patch: ["nodes": ["amazon": ["wait": .string("\(seconds)s"), "life": "4s"]]])
        let time = try #require(provider.times.first)
        let answerBy = try #require(time.answerBy)
        // The wait begins between the run's start and the call.
        #expect((start...time.asked).contains(answerBy - .seconds(seconds)))
    }
}
