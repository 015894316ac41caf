import JSONDocument
import StageGraph
import TestSupport
import Testing
import Threads

@Suite struct `A replay` {
    private func bytes(_ report: RunReport) -> String {
        String(decoding: report.trace.ndjson(measured: false), as: UTF8.self)
    }

    private func record(_ patch: String, _ quarry: Quarry, seed: UInt64 = 0) async throws -> (RunReport, Cassette) {
        let recorder = EffectRecorder()
        let report = try await PebblePipeline.run(
            patch,
            quarry,
            options: RunOptions(seed: seed, effects: .recording(recorder))
        )
        let effects = recorder.recorded(inOrderOf: report.plan.nodes.map(\.id))
        let cassette = Cassette(plan: report.plan.definition, request: .null, seed: seed, effects: effects)
        return (report, try Cassette(ndjson: cassette.ndjson()))
    }

    private func replay(_ patch: String, _ cassette: Cassette) async throws -> RunReport {
        // Sources that would be asked again fail: nothing may be performed.
        var quarry = Quarry()
        quarry.moods = ["north": .fails(.request, times: 99), "south": .fails(.request, times: 99)]
        return try await PebblePipeline.run(
            patch,
            quarry,
            options: RunOptions(seed: cassette.seed, effects: .replaying(CassettePlayer(cassette)))
        )
    }

    @Test func `is byte-identical without asking the outside`() async throws {
        let (recorded, cassette) = try await record("{}", Quarry(), seed: 9)
        let replayed = try await replay("{}", cassette)
        #expect(bytes(replayed) == bytes(recorded))
        #expect(cassette.effects.count == 2)
    }

    @Test func `repeats failures and retries`() async throws {
        let patch = #"{ "nodes": { "north": { "retry": { "attempts": 2, "base": "1ms" } } } }"#
        var quarry = Quarry()
        quarry.moods = ["north": .fails(.provider, times: 1), "south": .fails(.data, times: 9)]
        let (recorded, cassette) = try await record(patch, quarry)
        let replayed = try await replay(patch, cassette)
        #expect(recorded["north"]?.attempts == 2)
        #expect(recorded["south"]?.state == .failed)
        #expect(bytes(replayed) == bytes(recorded))
    }

    @Test func `lets the same node run out of time at once`() async throws {
        let patch = #"{ "nodes": { "north": { "wait": "20ms" } } }"#
        var quarry = Quarry()
        quarry.moods = ["north": .stalls]
        let (recorded, cassette) = try await record(patch, quarry)
        let replayed = try await replay(patch, cassette)
        #expect(recorded["north"]?.state == .timedOut)
        #expect(bytes(replayed) == bytes(recorded))
    }

    @Test func `fails at a missing effect even where the node is optional`() async throws {
        let (_, cassette) = try await record("{}", Quarry())
        let torn = Cassette(
            plan: cassette.plan,
            request: .null,
            seed: 0,
            effects: cassette.effects.filter { $0.node != "north" }
        )
        let replayed = try await replay("{}", torn)
        #expect(replayed.outcome.failure?.code == StageFailure.effectMissing)
        #expect(replayed.failedNode == "north")
    }

    @Test func `gives another plan the old world`() async throws {
        let (recorded, cassette) = try await record("{}", Quarry())
        let replayed = try await replay(#"{ "nodes": { "few": { "parameters": { "count": 4 } } } }"#, cassette)
        #expect(replayed.counts.retrieved == recorded.counts.retrieved)
        #expect(replayed.output(of: "few", as: Pool<Pebble>.self)?.items.count == 4)
    }

    @Test func `makes the recorded plan from the recording alone`() async throws {
        let (recorded, cassette) = try await record(
            #"{ "nodes": { "heavy": { "parameters": { "slack": 1 } } } }"#,
            Quarry()
        )
        let definition = try PipelineDefinition(json: cassette.plan, file: "cassette")
        #expect(try Plan(definition, catalog: PebbleCatalog.make()).identity == recorded.plan.identity)
    }

    @Test(arguments: UInt64(100)..<120) func `of a random graph is byte-identical`(_ seed: UInt64) async throws {
        let graph = RandomGraph(seed: seed, isTimed: false)
        let plan = try Plan(PipelineDefinition(json: graph.definition, file: "random"), catalog: PebbleCatalog.make())
        let recorder = EffectRecorder()
        let runner = GraphRunner(executor: StageExecutor(threads: 2))
        let recorded = await runner.report(
            of: plan.bind(to: graph.quarry),
            options: RunOptions(seed: seed, effects: .recording(recorder))
        )
        let player = CassettePlayer(recorder.recorded(inOrderOf: plan.nodes.map(\.id)))
        let again = RandomGraph(seed: seed, isTimed: false).quarry
        let replayed = await runner.report(
            of: plan.bind(to: again),
            options: RunOptions(seed: seed, effects: .replaying(player))
        )
        // A failed run gives up what is under way, so its recording may lack effects nobody waited for.
        if case .success = recorded.outcome { #expect(bytes(replayed) == bytes(recorded), "seed \(seed)") }
    }
}
