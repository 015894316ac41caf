import Fixtures
import Foundation
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import Synchronization
import TestSupport
import Testing

/// A provider is added by declaring it: neither the domain nor the stages know its name.
@Suite("A provider of one's own") struct OwnProviderTests {
    /// Keeps what it is asked.
    private final class Listener: CandidateProvider {
        private let shelf = ShelfProvider(
            shelf: ["kite", "loom", "bell"].map {
                .invented($0, "Brass \($0)", provider: ShelfProvider.name, ships: 2)
            },
            isOpen: true
        )
        private let heard = Mutex<[ProviderQuery]>([])
        var capabilities: [ProviderCapability] { shelf.capabilities }
        var queries: [ProviderQuery] { heard.withLock { $0 } }

        func candidates(for query: ProviderQuery) async throws(StageFailure) -> [Candidate] {
            heard.withLock { $0.append(query) }
            return try await shelf.candidates(for: query)
        }
    }

    private static let patch: JSONValue = [
        "nodes": ["aggregate": ["inputs": ["pools": ["yelp", "shelf"]]]],
        "add": [
            [
                "id": "shelf", "kind": "source.provider", "after": "yelp", "inputs": ["plan": "plan"],
                "parameters": ["provider": "shelf"],
            ]
        ],
    ]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func plan(_ catalog: StageCatalog<StagePorts>) throws -> Plan {
        let layers = [ExperimentLayer(file: "shelf.json", patch: patch)]
        return try Plan(
            PipelineLoader(source: ShippedPipelines()).load("choice-of-three", experiments: layers),
            catalog: catalog
        )
    }

    private static func scene() -> Scene {
        var scene = Scene()
        scene.location = Place(city: "Lisbon", state: nil, country: "PT")
        return scene
    }

    @Test func `is asked for what it has, and is told nothing that it cannot use`() async throws {
        let shelf = Listener()
        var ports = Self.scene().ports()
        ports.providers.merge(.answering([shelf])) { _, new in new }
        let plan = try Self.plan(.knot(with: shelf.capabilities))
        let run = await Scene.engine.report(plan, ports: ports, options: RunOptions())
        #expect(Set(run.shown) == ["kite", "loom", "bell"])
        #expect(run.cards["kite"]?.offer.provenance == [ShelfProvider.name])
        let query = try #require(shelf.queries.first)
        #expect(query.types == [.gift] && query.place == nil && query.budget == nil)
    }

    @Test func `is recorded and replayed like any other`() async throws {
        let shelf = Listener()
        let file = Self.root.appending(path: "fixtures/vaults/dev-01.json").path
        var ports = StagePorts(
            try FixtureLoader().load(file),
            asOf: nil,
            zones: ZoneDirectory(),
            clock: FixtureClock(Instant(millisecondsSinceEpoch: 0))
        )
        ports.providers.merge(.answering([shelf])) { _, new in new }
        let plan = try Self.plan(.knot(with: shelf.capabilities))
        let recorder = EffectRecorder()
        let run = await Scene.engine.report(plan, ports: ports, options: RunOptions(effects: .recording(recorder)))
        let text = try #require(run.text())
        let request = RecordedRequest(
            request: ports.request,
            reader: ports.reader.name,
            rates: ports.rates,
            inputDigest: "none"
        )
        let cassette = Cassette(
            plan: plan.definition,
            request: request.json,
            seed: 0,
            effects: recorder.recorded(inOrderOf: plan.nodes.map(\.id))
        )
        let again = try #require(RecordedRun(Cassette(ndjson: cassette.ndjson()), reading: JSONReader(request.json)))
        let isOfThePlan = again.isOf(plan, seed: 0)
        #expect(isOfThePlan)
        for world in [again.closed, await again.open(Scene.engine)] {
            let replayed = await Scene.engine.report(plan, ports: world.ports, options: world.options(seed: 0))
            let isSame = replayed.text() == text
            #expect(isSame)
        }
    }

    @Test func `is a problem of a pipeline where it is not declared, with those that are`() throws {
        let error = try #require(throws: PipelineError.self) { try Self.plan(.knot) }
        let problems = error.problems.filter { $0.severity == .error }
        #expect(problems.map(\.path) == ["$.add[0].parameters.provider"])
        #expect(problems.first?.message.contains("\"shelf\" does not fit: expected one of yelp, ") == true)
    }

    @Test(arguments: ["", "Shelf", "a b", "../x", "é", String(repeating: "a", count: 65)])
    func `has a plain name`(name: String) {
        #expect(ProviderName(rawValue: name) == nil)
    }

    @Test func `is read from a file of candidates like any other, and what is no name is a problem`() throws {
        let candidate = Candidate.invented("kite", "Brass kite", provider: ShelfProvider.name).json
        #expect(Candidate(reading: JSONReader(candidate))?.provider == ShelfProvider.name)
        var odd = try #require(candidate.object)
        odd["provider"] = "The Shelf"
        let reader = JSONReader(.object(odd))
        #expect(Candidate(reading: reader) == nil)
        #expect(
            reader.problems.list.map(\.message) == [
                "\"The Shelf\" is no provider's name: 1 to 64 of a-z, 0-9, - and _"
            ]
        )
    }

    @Test func `has nothing in a fixture that does not hold it, which is no failure`() async throws {
        let plan = try Self.plan(.knot(with: Listener().capabilities))
        #expect(plan.askedProviders.contains(ShelfProvider.name))
        let found = try FixtureLoader().load(Self.root.appending(path: "fixtures/vaults/dev-01.json").path)
        func codes(asking asked: Set<ProviderName>) async -> Set<String> {
            let ports = StagePorts(
                found,
                asking: asked,
                asOf: nil,
                zones: ZoneDirectory(),
                clock: FixtureClock(found.fixture.asOf ?? Instant(millisecondsSinceEpoch: 0))
            )
            return await Scene.engine.report(plan, ports: ports, options: RunOptions()).codes
        }
        #expect(await codes(asking: plan.askedProviders) == ["no_embedder"])
        #expect(await codes(asking: plan.askedProviders.subtracting([ShelfProvider.name])).contains("provider_failed"))
    }
}
