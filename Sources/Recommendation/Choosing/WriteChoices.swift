import JSONDocument
package import StageGraph

/// Hands a finished set to whatever stores it; a short set never takes the place of a complete one.
package struct WriteChoices: SinkStage {
    package static let kind = "write.choices"
    package static let summary = "Stores the finished set, unless it has fewer than three choices."
    static let choices = InputPort<ChoiceOfThree>("choices")
    package static let inputs = [choices.declaration]

    private let ports: StagePorts

    package init(ports: StagePorts) {
        self.ports = ports
    }

    /// Whether the set is stored now.
    package func write(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Bool {
        let choices = try inputs.value(Self.choices)
        guard !choices.isShort else { return false }
        let sink = ports.sink
        return try await context.effects.perform(.write, key: .null, codec: .flag) {
            () async throws(StageFailure) in try await sink.store(choices)
        }
    }
}
