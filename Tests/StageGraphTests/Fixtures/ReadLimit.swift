import StageGraph

/// Reads a number.
struct ReadLimit: TransformStage {
    static let kind = "reader.limit"
    static let role = StageRole.reader
    static let summary = "Reads the heaviest weight allowed."
    static let limit = Parameter("limit", default: 8.0, in: 0...100, "The heaviest weight allowed.")
    static var parameters: [ParameterDeclaration] { [limit.declaration] }

    let quarry: Quarry
    let value: Double

    func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Double {
        try await quarry.enter(context)
        return value
    }
}
