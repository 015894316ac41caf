import StageGraph

/// Counts what it was given.
struct CountReceipt: SinkStage {
    static let kind = "sink.count"
    static let summary = "Counts."
    static let checked = InputPort<CheckedSelection<Pebble>>("checked")
    static var inputs: [InputDeclaration] { [checked.declaration] }

    let quarry: Quarry

    func write(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Int {
        try await quarry.enter(context)
        return try inputs.value(Self.checked).standing.count
    }
}
