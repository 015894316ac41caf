import JSONDocument
import Synchronization
import Testing

@testable import StageGraph

@Suite struct `An effect gateway` {
    private static let weight = EffectCodec<Double>(encode: { .number($0) }, decode: { $0.double })

    private func ask(_ gateway: EffectGateway, _ key: JSONValue, live: Double?) async throws(StageFailure) -> Double {
        try await gateway.perform("scale", key: key, codec: Self.weight) { () async throws(StageFailure) in
            guard let live else { throw StageFailure(.provider, code: "down", "no scale") }
            return live
        }
    }

    @Test func `costs neither key nor codec on a live run`() async throws {
        let codec = EffectCodec<Int>(
            encode: { _ in
                Issue.record("encoded on a live run")
                return .null
            },
            decode: { _ in nil }
        )
        func key() -> JSONValue {
            Issue.record("made a key on a live run")
            return .null
        }
        let value = try await EffectGateway(node: "n").perform("k", key: key(), codec: codec) {
            () async throws(StageFailure) in 7
        }
        #expect(value == 7)
    }

    @Test func `replays values and failures to any node with the same kind and key`() async throws {
        let recorder = EffectRecorder()
        let recording = EffectGateway(node: "north", mode: .recording(recorder))
        _ = try await ask(recording, ["id": "a"], live: 2.5)
        await #expect(throws: StageFailure.self) { try await ask(recording, ["id": "b"], live: nil) }
        let player = CassettePlayer(recorder.recorded(inOrderOf: ["north"]))
        let replaying = EffectGateway(node: "elsewhere", mode: .replaying(player))
        #expect(try await ask(replaying, ["id": "a"], live: nil) == 2.5)
        let failure = await #expect(throws: StageFailure.self) { try await ask(replaying, ["id": "b"], live: 1) }
        #expect(failure?.code == "down")
    }

    @Test func `names what is missing without giving the key away`() async {
        let gateway = EffectGateway(node: "north", mode: .replaying(CassettePlayer([])))
        let failure = await #expect(throws: StageFailure.self) {
            try await ask(gateway, ["hint": "private words"], live: 1)
        }
        #expect(failure?.code == StageFailure.effectMissing)
        #expect(failure?.failureClass == .data)
        #expect(failure?.detail.contains("scale") == true)
        #expect(failure?.detail.contains("north") == true)
        #expect(failure?.detail.contains("private") == false)
    }

    @Test func `gives recorded answers in order and the last one again`() async throws {
        let effects = [1.0, 2.0].map { RecordedEffect(kind: "scale", node: "n", key: 1, answer: .value(.number($0))) }
        let gateway = EffectGateway(node: "n", mode: .replaying(CassettePlayer(effects)))
        var answers: [Double] = []
        for _ in 0..<3 { answers.append(try await ask(gateway, 1, live: nil)) }
        #expect(answers == [1, 2, 2])
    }

    @Test func `refuses an answer it cannot read`() async {
        let effect = RecordedEffect(kind: "scale", node: "n", key: 1, answer: .value("heavy"))
        let gateway = EffectGateway(node: "n", mode: .replaying(CassettePlayer([effect])))
        let failure = await #expect(throws: StageFailure.self) { try await ask(gateway, 1, live: 1) }
        #expect(failure?.code == StageFailure.effectUnreadable)
    }

    @Test func `records in an order that does not depend on who was first`() {
        let effects = ["a", "b", "c"].flatMap { node in
            (0..<2).map {
                RecordedEffect(kind: "k", node: NodeID(node), key: .integer($0), answer: .value(.integer($0)))
            }
        }
        var generator = SeededGenerator(seed: 3)
        let orders = (0..<5).map { _ in
            let recorder = EffectRecorder()
            for effect in effects.shuffled(using: &generator) { recorder.add(effect) }
            return recorder.recorded(inOrderOf: ["a", "b", "c"])
        }
        #expect(orders.allSatisfy { $0 == effects })
    }
}
