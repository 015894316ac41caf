import StageGraph

/// Puts pools together, merging equal weights.
struct HeapPebbles: AggregateStage {
    static let kind = "aggregate.heap"
    static let summary = "Puts pools together."

    let quarry: Quarry

    func unite(
        _ pools: [(node: NodeID, value: Pool<Pebble>)],
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Union<Pebble> {
        try await quarry.enter(context)
        var union = Union<Pebble>(items: [])
        for pebble in pools.flatMap(\.value.items) {
            if let twin = union.items.first(where: { $0.weight == pebble.weight }) {
                union.merged.append(Merge(absorbed: pebble.itemID, survivor: twin.itemID, why: "same_weight"))
            } else {
                union.items.append(pebble)
            }
        }
        if quarry.lies(context), !union.items.isEmpty { union.items.removeLast() }
        return union
    }
}
