/// Makes one pool of several, saying of every item whether it was kept, merged or cut.
package protocol AggregateStage: Stage {
    associatedtype Item: GraphItem

    /// The pools come in declared order, each with the node it came from.
    func unite(
        _ pools: [(node: NodeID, value: Pool<Item>)],
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Union<Item>
}

extension AggregateStage {
    package static var role: StageRole { .aggregator }
    /// The joining input every aggregator has.
    package static var pools: ManyPort<Pool<Item>> { ManyPort("pools") }
}
