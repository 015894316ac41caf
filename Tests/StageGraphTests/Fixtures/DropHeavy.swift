import StageGraph

/// Drops what is too heavy.
struct DropHeavy: FilterStage {
    static let kind = "filter.heavy"
    static let summary = "Drops what is heavier than the limit."
    static let limit = InputPort<Double>("limit")
    static let slack = Parameter("slack", default: 0.5, in: 0...10, "How much heavier than the limit is still well.")
    static var inputs: [InputDeclaration] { [limit.declaration] }
    static var parameters: [ParameterDeclaration] { [slack.declaration] }

    let quarry: Quarry
    let slack: Double

    func facts(
        for pool: Pool<Pebble>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Double {
        try await quarry.enter(context)
        return try inputs.value(Self.limit) + slack
    }

    func verdict(on item: Pebble, given facts: Double) throws(StageFailure) -> FilterVerdict {
        item.weight <= facts ? .keep : .drop(reason: "too_heavy", evidence: "\(item.weight) is above \(facts)")
    }
}
