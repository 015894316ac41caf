/// Makes one total of the scorers' contributions; the parts must add up to the score.
package protocol CombineStage: Stage {
    associatedtype Item: GraphItem

    func total(of item: Item, from columns: [ScoreColumn], _ inputs: StageInputs) throws(StageFailure) -> Total
}

extension CombineStage {
    package static var role: StageRole { .combiner }
    package static var pool: InputPort<Pool<Item>> { InputPort("pool") }
    package static var columns: ManyPort<ScoreColumn> { ManyPort("scores") }
}
