/// A reader, retriever, planner, relater or presenter: values in, one value out, no items won or lost.
package protocol TransformStage: Stage {
    associatedtype Output: Sendable

    func run(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Output
}
