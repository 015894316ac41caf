/// Writes the result; the only role that may, and doing it twice must be the same as once.
package protocol SinkStage: Stage {
    associatedtype Receipt: Sendable

    func write(_ inputs: StageInputs, in context: StageContext) async throws(StageFailure) -> Receipt
}

extension SinkStage {
    package static var role: StageRole { .sink }
}
