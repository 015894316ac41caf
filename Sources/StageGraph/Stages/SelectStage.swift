/// Chooses a set; selected, reserve and rest are disjoint and together everything that was ranked.
package protocol SelectStage: Stage {
    associatedtype Item: GraphItem

    func select(
        from ranking: Ranking<Item>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> Selection<Item>
}

extension SelectStage {
    package static var role: StageRole { .selector }
    package static var ranking: InputPort<Ranking<Item>> { InputPort("ranking") }
}
