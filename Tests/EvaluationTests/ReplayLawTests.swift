import Fixtures
import Foundation
import HintRules
import JSONDocument
import KnotDomain
import Recommendation
import Shipped
import StageGraph
import TestSupport
import Testing

/// What a recorded run wrote, a replay reads: for every judged vault, both pipelines, every reader, with a model and without.
@Suite("A recording", .onOwnThreads) struct ReplayLawTests {
    private static let engine = Engine(threads: 2)
    private static let folders = ["fixtures/vaults", "fixtures/vaults-apart"].map { folder in
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: folder).path
    }

    static let files: [String] = folders.flatMap { (try? FixtureLoader.files(in: $0)) ?? [] }

    static let some = TodaysCases.of(files)

    /// The law is of what a run reads and not of how long it takes: debug builds of many vaults at once are slow.
    private static let limit = Duration.seconds(600)

    private func record(_ ports: StagePorts, _ plan: Plan, _ subject: String) async throws -> (EngineRun, [UInt8]) {
        let recorder = EffectRecorder()
        var options = RunOptions(seed: 7, subject: subject, deadline: Self.limit)
        options.effects = .recording(recorder)
        let run = await Self.engine.report(plan, ports: ports, options: options)
        let request = RecordedRequest(
            request: ports.request,
            reader: ports.reader.name,
            rates: ports.rates,
            inputDigest: "none",
            embedder: ports.embedder?.model
        )
        let cassette = Cassette(
            plan: plan.definition,
            request: request.json,
            seed: 7,
            effects: recorder.recorded(inOrderOf: plan.nodes.map(\.id))
        )
        return (run, cassette.ndjson())
    }

    /// As the command replays: nothing is known but the file.
    private func replay(_ bytes: [UInt8], _ subject: String) async throws -> EngineRun {
        let cassette = try Cassette(ndjson: bytes)
        let recorded = try #require(RecordedRequest(reading: JSONReader(cassette.request)))
        let world = ReplayPorts(readerName: recorded.reader)
        let ports = StagePorts(
            request: recorded.request,
            vaults: world,
            reader: world,
            fallback: RulesReader(),
            providers: [world],
            checker: world,
            embedder: recorded.embedder.map { ReplayEmbedder(model: $0) },
            zones: ZoneCache(),
            rates: recorded.rates,
            clock: world,
            sink: world
        )
        var options = RunOptions(seed: cassette.seed, subject: subject, deadline: Self.limit)
        options.effects = .replaying(CassettePlayer(cassette))
        let definition = try PipelineDefinition(json: cassette.plan, file: "recording")
        return await Self.engine.report(try Plan(definition, catalog: .knot), ports: ports, options: options)
    }

    @Test func `is looked for in all judged vaults`() {
        #expect(Self.files.count == 46)
    }

    @Test func `refuses at once what a replay would read otherwise`() async throws {
        let codec = EffectCodec<Int>(encode: { .integer($0) }, decode: { $0.int.map { min($0, 64) } })
        let desk = EffectGateway(node: "node", mode: .recording(EffectRecorder()))
        let kept = try await desk.perform("count", key: 1, codec: codec) { () async throws(StageFailure) in 64 }
        #expect(kept == 64)
        let failure = await #expect(throws: StageFailure.self) {
            try await desk.perform("count", key: 2, codec: codec) { () async throws(StageFailure) in 65 }
        }
        #expect(failure?.code == StageFailure.effectUnwritable)
    }

    @Test(arguments: some) func `replays byte for byte whatever read the hints and compared the texts`(
        file: String
    ) async throws {
        let isRecorded = !file.contains("vaults-apart")
        for readings in isRecorded ? [ReadingsChoice.rules, .beside] : [.rules] {
            let fixtureCase = try FixtureLoader(readings: readings).load(file)
            for embedder in [nil, WordAxes()] {
                var ports = JudgedVaults.ports(fixtureCase)
                ports.embedder = embedder
                for pipeline in ShippedPipelines.names {
                    let plan = try ShippedPipelines.plan(pipeline)
                    let subject = fixtureCase.fixture.vault.id.text
                    let (run, bytes) = try await record(ports, plan, subject)
                    let again = try await replay(bytes, subject)
                    let texts = (run.text(), again.text())
                    let isSame = texts.0 != nil && texts.0 == texts.1
                    #expect(
                        isSame,
                        "\(pipeline), \(readings), \(embedder == nil ? "words" : "vectors"): \(again.result)"
                    )
                    // What is recorded is what an unrecorded run would have seen.
                    let plain = await Self.engine.report(
                        plan,
                        ports: ports,
                        options: RunOptions(seed: 7, subject: subject, deadline: Self.limit)
                    )
                    let isUnchanged = plain.text() == texts.0
                    #expect(isUnchanged, "\(pipeline), \(readings): recording changes the set")
                }
            }
        }
    }
}
