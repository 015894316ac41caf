import StageGraph

/// Scores by weight; a negative weight gives no finite score.
struct ScoreWeight: ScoreStage {
    enum Curve: String, CaseIterable, Sendable {
        case straight
        case root
    }

    static let kind = "score.weight"
    static let summary = "Scores by weight."
    static let curve = Parameter("curve", default: Curve.straight, "How the score grows.")
    static var parameters: [ParameterDeclaration] { [curve.declaration] }

    let quarry: Quarry
    let curve: Curve

    func facts(
        for pool: Pool<Pebble>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Bool {
        try await quarry.enter(context)
        return quarry.lies(context)
    }

    func contribution(of item: Pebble, given lies: Bool) throws(StageFailure) -> Contribution? {
        if lies { return Contribution(.nan) }
        let value = curve == .root ? item.weight.squareRoot() : item.weight
        return Contribution(value, evidence: [Evidence(kind: "weight", ref: item.itemID.text, weight: 1)])
    }
}
