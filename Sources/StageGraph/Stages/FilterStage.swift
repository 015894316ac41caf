/// Looks at one item at a time and keeps it or drops it with a reason.
package protocol FilterStage: Stage {
    associatedtype Item: GraphItem
    associatedtype Facts

    /// Works out once per run what every verdict needs; the whole pool is given so that costly tables are made once.
    func facts(
        for pool: Pool<Item>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Facts
    func verdict(on item: Item, given facts: Facts) throws(StageFailure) -> FilterVerdict
}

extension FilterStage {
    package static var role: StageRole { .filter }
    /// The input every filter has.
    package static var pool: InputPort<Pool<Item>> { InputPort("pool") }
}
