package import JSONDocument

/// The one door through which a stage reaches the outside: it performs, records or replays.
package struct EffectGateway: Sendable {
    private let node: NodeID
    private let mode: EffectMode
    private let log: NodeLog?

    package init(node: NodeID, mode: EffectMode = .live, log: NodeLog? = nil) {
        self.node = node
        self.mode = mode
        self.log = log
    }

    /// Performs an effect, or answers it from the recording; key and codec cost nothing on a live run.
    package func perform<Value: Sendable>(
        _ kind: EffectKind,
        key: @autoclosure () -> JSONValue,
        codec: EffectCodec<Value>,
        live: @Sendable () async throws(StageFailure) -> Value
    ) async throws(StageFailure) -> Value {
        switch mode {
        case .live:
            return try await live()
        case .recording(let recorder):
            let key = key()
            do throws(StageFailure) {
                let value = try await live()
                let written = codec.encode(value)
                // What a replay would read otherwise than it was written is told now, while the world is still there.
                guard codec.decode(written).map(codec.encode) == written else {
                    throw StageFailure(
                        .stage,
                        code: StageFailure.effectUnwritable,
                        "the \(kind) effect of node \(node) cannot be recorded so that a replay reads the same"
                    )
                }
                recorder.add(RecordedEffect(kind: kind, node: node, key: key, answer: .value(written)))
                return value
            } catch {
                // A call that was told to stop says nothing about the world.
                if error.failureClass != .cancelled {
                    recorder.add(RecordedEffect(kind: kind, node: node, key: key, answer: .failure(error)))
                }
                throw error
            }
        case .replaying(let player):
            switch player.answer(to: kind, key: key(), node: node) {
            case nil:
                // Once for the node, whatever the order of its questions: a reason must not depend on threads.
                log?.note(
                    RunReason(
                        code: StageFailure.notRecorded,
                        node: node,
                        detail: "the recording has no answer to a \(kind) of this plan; what else it knows was taken",
                        degrades: false
                    )
                )
                return try await live()
            case .failure(let failure): throw failure
            case .value(let value):
                guard let decoded = codec.decode(value) else {
                    throw StageFailure(
                        .data,
                        code: StageFailure.effectUnreadable,
                        "the recording's \(kind) effect for node \(node) is not one this version can read"
                    )
                }
                return decoded
            }
        }
    }
}

/// What sort of look at the outside an effect is, such as `provider.search`.
package struct EffectKind: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(stringLiteral value: String) {
        text = value
    }

    package var description: String { text }
}

/// Whether effects happen, are written down as they happen, or come from a recording.
package enum EffectMode: Sendable {
    case live
    case recording(EffectRecorder)
    case replaying(CassettePlayer)
}

/// How the answer of one kind of effect is written into a recording and read back.
package struct EffectCodec<Value: Sendable>: Sendable {
    package let encode: @Sendable (Value) -> JSONValue
    /// Nil when the value is not what `encode` writes.
    package let decode: @Sendable (JSONValue) -> Value?

    package init(encode: @escaping @Sendable (Value) -> JSONValue, decode: @escaping @Sendable (JSONValue) -> Value?) {
        self.encode = encode
        self.decode = decode
    }
}
