/// Keeps a part of a pool by what some scorers said; every other item is cut with a reason.
package protocol ShortlistStage: Stage {
    associatedtype Item: GraphItem

    /// Returns the kept items in the order later stages shall see them, and the cut ones.
    func shorten(
        _ pool: Pool<Item>,
        by columns: [ScoreColumn],
        _ inputs: StageInputs,
        in context: StageContext
    ) throws(StageFailure) -> Union<Item>
}

extension ShortlistStage {
    package static var role: StageRole { .shortlist }
    package static var pool: InputPort<Pool<Item>> { InputPort("pool") }
    package static var columns: ManyPort<ScoreColumn> { ManyPort("scores") }
}
