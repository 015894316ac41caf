import Fixtures
import JSONDocument
import Shipped
import StageGraph
import TestSupport
import Testing
import TextReading
import VectorSearch

@testable import Recommendation

/// The most decisive texts are encoded first, and what is ready counts when time runs out.
extension MeaningInRunsTests {
    /// Three hundred offers that share no words, and one that serves, in the order that a seed decides.
    static func large(_ seed: UInt64, count: Int = 300) -> Scene {
        var scene = Self.scene
        scene.candidates += (0..<count).map {
            .invented("c\($0 + 1_000)", "Thing\($0) called \($0 * 7)", description: nil)
        }
        var generator = SeededGenerator(seed: seed)
        scene.candidates.shuffle(using: &generator)
        return scene
    }

    /// As long as a busy machine may need, so that only what is asked about decides.
    static func patiently(
        _ scene: Scene,
        _ embedder: any TextEmbedder,
        settings: [String] = [],
        effects: EffectMode = .live
    ) async throws -> EngineRun {
        let plan = try Scene.plan(
            ShippedPipelines.standard,
            settings: settings,
            patch: ["deadline": "200s"]
        )
        var ports = scene.ports()
        ports.embedder = embedder
        return await Engine(threads: 2).report(plan, ports: ports, options: RunOptions(effects: effects))
    }

    @Test func `a large pool is asked for in several calls, what words come nearest to first`() async throws {
        let embedder = WordAxes(alike: Self.axes)
        var scene = Self.large(1)
        scene.candidates.append(.invented("kneeler", "Garden kneeler", description: nil))
        let run = try await Self.patiently(scene, embedder)
        #expect(run.outcome == .complete && embedder.calls.count == 3, "\(run.report.reasons)")
        #expect(embedder.calls[0].contains("Garden kneeler") && embedder.calls[0].contains("garden gloves"))
        let asked = embedder.calls.flatMap { $0 }
        #expect(Set(asked).count == asked.count)
    }

    @Test func `no more are looked at than a fixed number, and it is said`() async throws {
        let embedder = WordAxes(alike: Self.axes)
        let run = try await Self.patiently(Self.large(1), embedder, settings: ["meaning.most=140"])
        #expect(run.codes.contains("compared_by_words") && run.outcome == .complete, "\(run.report.reasons)")
        #expect(embedder.calls.count == 2 && embedder.calls[1].count == 12)
    }

    @Test(arguments: [600, 140]) func `what is looked at hangs on no order`(most: Int) async throws {
        var texts: Set<String> = []
        var asked: Set<[[String]]> = []
        for seed in 1...3 as ClosedRange<UInt64> {
            let embedder = WordAxes(alike: Self.axes)
            let run = try await Self.patiently(Self.large(seed), embedder, settings: ["meaning.most=\(most)"])
            texts.insert(try #require(run.text()))
            asked.insert(embedder.calls)
        }
        #expect(texts.count == 1 && asked.count == 1)
    }

    /// Answers at once so many times, and never again in time.
    final class Tiring: TextEmbedder {
        let base = WordAxes(alike: MeaningInRunsTests.axes)
        let patience: Int
        let bytesOfCall: Int?
        var model: String { base.model }

        init(patience: Int, bytesOfCall: Int? = nil) {
            self.patience = patience
            self.bytesOfCall = bytesOfCall
        }

        func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
            let isTired = base.calls.count >= patience
            let vectors = try await base.embeddings(of: texts)
            if isTired { BlockedCall.hold() }
            return vectors
        }
    }

    @Test func `vectors that are ready count, and words carry the rest`() async throws {
        var scene = Self.large(2)
        scene.candidates.append(.invented("kneeler", "Garden kneeler", description: nil))
        let run = try await Self.patiently(scene, Tiring(patience: 1), settings: ["meaning.patience_s=5"])
        #expect(run.outcome == .degraded && run.codes.contains("embedder_slow"), "\(run.report.reasons)")
        let reason = run.report.reasons.first { $0.code == "embedder_slow" }
        #expect(reason?.detail.contains("128 of 306") == true, "\(reason?.detail ?? "")")
        #expect(run.shown.contains("kneeler"))
    }

    @Test(arguments: [0, 3])
    func `an embedder that was out of time is out of it in a replay too`(patience: Int) async throws {
        let recorder = EffectRecorder()
        var options = RunOptions(seed: 5)
        options.effects = .recording(recorder)
        let run = try await Self.judged(options, Tiring(patience: patience, bytesOfCall: patience == 0 ? nil : 1_500))
        #expect(run.codes.contains("embedder_slow"), "\(run.report.reasons)")
        let effects = recorder.recorded(inOrderOf: run.plan.nodes.map(\.id))
        var replaying = RunOptions(seed: 5)
        replaying.effects = .replaying(
            CassettePlayer(Cassette(plan: run.plan.definition, request: .null, seed: 5, effects: effects))
        )
        let again = try await Self.judged(replaying, ReplayEmbedder(model: "axes"))
        let isReplayed = again.text() == run.text()
        #expect(isReplayed && again.outcome == run.outcome)
    }

    @Test func `a deadline that the embedder would use up leaves a set by words`() async throws {
        var ports = Self.scene.ports()
        ports.embedder = Tiring(patience: 0)
        let engine = Engine(threads: 2)
        let plan = try ShippedPipelines.plan(ShippedPipelines.standard)
        let run = await engine.report(plan, ports: ports, options: RunOptions())
        #expect(run.outcome == .degraded && run.codes.contains("embedder_slow"), "\(run.result)")
        #expect(!run.codes.contains("embedder_failed"))
        #expect(try await run.shown == Self.scene.run().shown)
    }

    /// Thirty-eight offers, of which words name one and only meaning finds another.
    private static var busy: Scene {
        var scene = large(3, count: 32)
        scene.candidates.append(.invented("kneeler", "Garden kneeler", description: nil))
        return scene
    }

    @Test func `texts are encoded a few at a time, and what decides most comes first`() async throws {
        let whole = Tiring(patience: .max)
        let pieces = Tiring(patience: .max, bytesOfCall: 300)
        let run = try await Self.patiently(Self.busy, pieces)
        #expect(run.outcome == .complete && pieces.base.calls.count > 10, "\(run.report.reasons)")
        #expect(try await run.text() == Self.patiently(Self.busy, whole).text())
        let asked = pieces.base.calls.flatMap { $0 }
        #expect(whole.base.calls.count == 1 && Set(asked) == Set(whole.base.calls.joined()))
        #expect(Set(asked).count == asked.count)
        let first = try #require(pieces.base.calls.first)
        #expect(first.contains("garden gloves") && first.contains("Garden kneeler"))
        let last = try #require(pieces.base.calls.last)
        #expect(Set(last).isDisjoint(with: Self.busy.candidates.map { MeaningText.of($0) }))
    }

    @Test(arguments: 1...4) func `what was encoded before the time was over counts`(calls: Int) async throws {
        let run = try await Self.patiently(
            Self.busy,
            Tiring(patience: calls, bytesOfCall: 400),
            settings: ["meaning.patience_s=3"]
        )
        #expect(run.outcome == .degraded && run.shown.count == 3, "\(run.report.reasons)")
        let slow = run.report.reasons.filter { $0.code.hasPrefix("embedder_") }
        #expect(slow.map(\.code) == ["embedder_slow"], "\(slow)")
        #expect(slow.first?.detail.contains("for 0 of") == false, "\(slow)")
        let words = try await Self.busy.run()
        #expect(run.ranked.first == "kneeler" && words.ranked.first == "kneeler")
        // Found by its meaning alone, and no earlier in line by its words than any other.
        if calls == 1 { return }
        func place(_ run: EngineRun) -> Int? { run.ranked.firstIndex(of: "mittens") }
        #expect(try #require(place(run)) < #require(place(words)), "\(run.ranked)")
    }

    @Test func `vectors that are there already cost no time`() async throws {
        final class Ready: TextEmbedder {
            let base = WordAxes(alike: MeaningInRunsTests.axes)
            let known: [String: Embedding]
            var model: String { base.model }
            init(_ known: [String: Embedding]) { self.known = known }
            func ready(_ texts: [String]) -> [Embedding?] { texts.map { known[$0] } }
            func embeddings(of texts: [String]) async throws(StageFailure) -> [Embedding] {
                try await base.embeddings(of: texts)
            }
        }
        let first = WordAxes(alike: Self.axes)
        let run = try await Self.run(Self.scene, first)
        let texts = first.calls.flatMap { $0 }
        let vectors = try await first.embeddings(of: texts)
        let all = Ready(Dictionary(zip(texts, vectors)) { first, _ in first })
        #expect(try await Self.run(Self.scene, all).text() == run.text())
        #expect(all.base.calls.isEmpty)
        let some = Ready(all.known.filter { $0.key.count.isMultiple(of: 2) })
        #expect(try await Self.run(Self.scene, some).text() == run.text())
        #expect(Set(some.base.calls.joined()) == Set(texts).subtracting(some.known.keys))
    }
}
