package import StageGraph

/// Puts the providers' candidates side by side, in the order of the providers.
///
/// Nothing is merged here: of two that are the same thing, the rules may drop one and keep the other.
package struct AggregateJoin: AggregateStage {
    package static let kind = "aggregate.join"
    package static let summary = "Puts the providers' candidates side by side; the same id counts once."

    package init() {}

    package func unite(
        _ pools: [(node: NodeID, value: Pool<Offer>)],
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Union<Offer> {
        let items = pools.flatMap(\.value.items)
        if items.isEmpty { context.noteEmptyPool() }
        return Union(items: items)
    }
}

extension StageContext {
    /// Says that there was nothing to choose from, which is another thing than that nothing of it may be shown.
    func noteEmptyPool() {
        note("no_candidates", "no provider has anything to choose from", degrades: false)
    }
}
