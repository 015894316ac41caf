/// Where one node stands while a run goes on.
struct NodeProgress: Sendable {
    enum Phase: Sendable, Equatable {
        case waiting
        case running
        /// Failed in a way worth another call, which starts then.
        case pausing(until: Duration)
        /// Failed; the substitute decides how it ends.
        case awaitingSubstitute
        case ended
    }

    var phase: Phase = .waiting
    var attempts = 0
    var started: Duration?
    var ended: Duration?
    /// Set when and only when the phase is `ended`.
    var state: NodeState?
    var failure: StageFailure?
    /// Failures that were followed by another call.
    var setbacks: [StageFailure] = []
    var product: NodeBody.Product?
    var pages = NodeNotebook.Pages()
    var arrivedLate = false
    var inputs: StageInputs?

    /// What it made; asked for alone, so that nothing else of the progress is copied.
    var output: (any Sendable)? { product?.value }
}
