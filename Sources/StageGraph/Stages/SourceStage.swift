/// Brings items in from outside; the runner keeps the first of two items with one id and counts the other.
package protocol SourceStage: Stage {
    associatedtype Item: GraphItem

    func retrieve(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> [Item]
}

extension SourceStage {
    package static var role: StageRole { .source }
}
