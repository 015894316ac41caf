/// Gives each item a contribution or none; a value that is not finite counts as none and is traced.
package protocol ScoreStage: Stage {
    associatedtype Item: GraphItem
    associatedtype Facts

    /// Works out once per run what every contribution needs.
    func facts(
        for pool: Pool<Item>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Facts
    func contribution(of item: Item, given facts: Facts) throws(StageFailure) -> Contribution?
}

extension ScoreStage {
    package static var role: StageRole { .scorer }
    /// The input every scorer has.
    package static var pool: InputPort<Pool<Item>> { InputPort("pool") }
}
