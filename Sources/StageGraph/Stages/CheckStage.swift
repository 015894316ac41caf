/// Asks the outside whether what was selected stands, and refills from the reserve.
package protocol CheckStage: Stage {
    associatedtype Item: GraphItem

    func check(
        _ selection: Selection<Item>,
        _ inputs: StageInputs,
        in context: StageContext
    ) async throws(StageFailure) -> CheckedSelection<Item>
}

extension CheckStage {
    package static var role: StageRole { .check }
    package static var selection: InputPort<Selection<Item>> { InputPort("selection") }
}
