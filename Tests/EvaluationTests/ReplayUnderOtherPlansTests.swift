import Explanation
import Fixtures
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing
import VectorSearch

/// A recording replayed under plans it was not made with: what it knows is taken, what it lacks is fallen back from.
@Suite(.onOwnThreads) struct ReplayUnderOtherPlansTests {
    private static let engine = Engine(threads: 2)

    /// Changes that ask other questions than the recorded run did: of providers, pages, the embedder, or of none.
    private static let settings: [[String]] = [
        [], ["amazon.limit=3"], ["combine.hints=0.02", "combine.budget=0.9"], ["check.ahead=20"],
        ["select.strength=1", "select.second_type=0.2"], ["retrieve.own_words=0"],
    ]

    private static func record(
        _ fixtureCase: FixtureCase,
        _ pipeline: String,
        embedder: (any TextEmbedder)? = nil,
        cards: Int = 3
    ) async throws -> (run: EngineRun, recording: RecordedRun) {
        let recorder = EffectRecorder()
        var options = JudgedVaults.options(fixtureCase, seed: 7)
        options.effects = .recording(recorder)
        let plan = try ShippedPipelines.plan(pipeline)
        var ports = JudgedVaults.ports(fixtureCase)
        ports.embedder = embedder
        ports.request.cards = cards
        let run = await engine.report(plan, ports: ports, options: options)
        let request = RecordedRequest(
            request: ports.request,
            reader: ports.reader.name,
            rates: ports.rates,
            inputDigest: fixtureCase.digest,
            embedder: embedder?.model
        )
        let cassette = Cassette(
            plan: plan.definition,
            request: request.json,
            seed: 7,
            effects: recorder.recorded(inOrderOf: plan.nodes.map(\.id))
        )
        let recording = try #require(RecordedRun(cassette, reading: JSONReader(cassette.request)))
        return (run, recording)
    }

    private static func replay(
        _ recording: RecordedRun,
        _ pipeline: String,
        _ settings: [String] = [],
        seed: UInt64 = 7
    ) async throws -> EngineRun {
        let definition = try PipelineLoader(source: ShippedPipelines())
            .load(pipeline, settings: settings.compactMap { CommandLineSetting($0) })
        let plan = try Plan(definition, catalog: .knot)
        let world = await recording.world(for: plan, seed: seed, engine)
        return await engine.report(plan, ports: world.ports, options: world.options(seed: seed))
    }

    @Test(arguments: JudgedVaults.some)
    func `every recording replays under every pipeline and any change of it`(stem: String) async throws {
        let fixtureCase = try JudgedVaults.load(stem)
        let known = Set(fixtureCase.fixture.candidates.map(\.id.text))
        for recorded in ShippedPipelines.names {
            let (run, recording) = try await Self.record(fixtureCase, recorded)
            for pipeline in ShippedPipelines.names {
                for settings in Self.settings where pipeline == ShippedPipelines.standard || settings.isEmpty {
                    let again = try await Self.replay(recording, pipeline, settings)
                    let what = "\(recorded) under \(pipeline) \(settings)"
                    guard case .success = again.result else {
                        Issue.record("\(what): \(again.result)")
                        continue
                    }
                    #expect(again.shown.count == 3 && Set(again.shown).isSubset(of: known), "\(what)")
                    if pipeline == recorded, settings.isEmpty {
                        let texts = (run.text(), again.text())
                        let isSame = texts.0 != nil && texts.0 == texts.1
                        #expect(isSame, "\(what)")
                        #expect(!again.codes.contains(StageFailure.notRecorded), "\(what)")
                    } else if pipeline != recorded {
                        // The two ask their providers differently, which the recording cannot know.
                        #expect(again.codes.contains(StageFailure.notRecorded), "\(what)")
                    }
                }
            }
        }
    }

    @Test func `another plan finds the recorded vectors by their texts`() async throws {
        let fixtureCase = try JudgedVaults.load("dev-04")
        let embedder = LetterEmbedder()
        let (run, recording) = try await Self.record(fixtureCase, ShippedPipelines.standard, embedder: embedder)
        #expect(!run.codes.contains("no_embedder"))
        // Fewer offers and fewer phrases are other calls of the embedder, on texts that are known.
        for settings in [["amazon.limit=4"], ["retrieve.own_words=0"], ["yelp.limit=2", "combine.hints=0.9"]] {
            let again = try await Self.replay(recording, ShippedPipelines.standard, settings)
            #expect(again.codes.isDisjoint(with: ["embedder_failed", "no_embedder"]), "\(settings)")
            #expect(again.shown.count == 3)
        }
        let classic = try await Self.replay(recording, "classic")
        #expect(classic.outcome == .degraded && classic.codes.contains("embedder_failed"))
        #expect(classic.shown.count == 3)
        let (_, old) = try await Self.record(fixtureCase, "classic", embedder: embedder)
        let ours = try await Self.replay(old, ShippedPipelines.standard)
        #expect(ours.outcome == .degraded && ours.codes.contains("embedder_failed") && ours.shown.count == 3)
    }

    @Test func `a recording of more cards than three replays to the same bytes`() async throws {
        for stem in ["dev-01", "dev-05", "dev-09"] {
            let fixtureCase = try JudgedVaults.load(stem)
            for pipeline in ShippedPipelines.names {
                let (run, recording) = try await Self.record(fixtureCase, pipeline, cards: 8)
                #expect(recording.recorded.request.cards == 8)
                let again = try await Self.replay(recording, pipeline)
                let texts = (run.text(), again.text())
                let isSame = texts.0 != nil && texts.0 == texts.1
                #expect(isSame, "\(stem) \(pipeline)")
            }
        }
    }

    @Test func `a page that a recording has can be imagined otherwise`() async throws {
        var tried = 0
        for stem in JudgedVaults.stems {
            let (run, recording) = try await Self.record(JudgedVaults.load(stem), ShippedPipelines.standard)
            let lost = run.report.trace.sections.flatMap(\.entries).compactMap { entry -> ItemID? in
                if case .item(.lost(let removal)) = entry { removal.item } else { nil }
            }
            guard let item = lost.first else { continue }
            tried += 1
            let world = await recording.open(Self.engine)
            let runner = HypothesisRunner(plan: run.plan, ports: world.ports) { world.options(seed: 7) }
            let again = try #require(runner.rerun(.available(item)))
            #expect(again.end(of: item.text) != .lost && again.shown.count == 3, "\(stem) \(item)")
        }
        #expect(tried > 2)
    }

    @Test func `pages nobody looked at are doubtful, and not dead`() async throws {
        let fixtureCase = try JudgedVaults.load("dev-01")
        let (_, recording) = try await Self.record(fixtureCase, ShippedPipelines.standard)
        let effects = recording.cassette.effects.filter { $0.kind != .availabilityProbe }
        let bare = Cassette(
            plan: recording.cassette.plan,
            request: recording.cassette.request,
            seed: recording.cassette.seed,
            effects: effects
        )
        let torn = try #require(RecordedRun(bare, reading: JSONReader(bare.request)))
        for pipeline in ShippedPipelines.names {
            let run = try await Self.replay(torn, pipeline, seed: 8)
            #expect(run.codes.isSuperset(of: ["availability_unknown", StageFailure.notRecorded]), "\(pipeline)")
            #expect(run.shown.count == 3, "\(pipeline)")
        }
        // Under its own plan and seed the same recording is broken, and that is said.
        let strict = try await Self.replay(torn, ShippedPipelines.standard)
        #expect(strict.outcome == .failed)
    }

    @Test func `a provider that was never heard is an outage and no empty shelf`() async throws {
        let fixtureCase = try JudgedVaults.load("dev-01")
        let (_, recording) = try await Self.record(fixtureCase, ShippedPipelines.standard)
        let effects = recording.cassette.effects.filter {
            $0.kind != .providerSearch || $0.key["provider"]?.string != "yelp"
        }
        let cassette = Cassette(
            plan: recording.cassette.plan,
            request: recording.cassette.request,
            seed: recording.cassette.seed,
            effects: effects
        )
        let torn = try #require(RecordedRun(cassette, reading: JSONReader(cassette.request)))
        let run = try await Self.replay(torn, "classic")
        #expect(run.outcome == .degraded)
        #expect(run.report.reasons.contains { $0.code == "provider_failed" && $0.node == "yelp" })
    }
}

/// Vectors that go by the letters of a text.
private struct LetterEmbedder: TextEmbedder {
    let model = "letters"

    func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
        texts.compactMap { text in
            var values = [Float](repeating: 0, count: Embedding.dimension)
            for byte in text.utf8 { values[Int(byte)] += 1 }
            return Embedding(values, model: model)
        }
    }
}
