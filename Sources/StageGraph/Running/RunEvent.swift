/// What can happen to a run.
enum RunEvent: Sendable {
    case begun
    /// A call ended, by itself or by its life's end.
    case ended(node: Int, attempt: Int, CallResult)
    /// A result came for a call that had been given up.
    case late(node: Int)
    /// Some time has passed.
    case tick
    case cancelled
}

/// What one call of one node left.
struct CallResult: Sendable {
    let outcome: Result<NodeBody.Product, StageFailure>
    let pages: NodeNotebook.Pages
}

/// What a run wants done.
enum RunAction: Sendable {
    /// Start a call; its life ends at the instant, given as an offset from the run's start, if it has one of its own.
    case launch(node: Int, attempt: Int, StageInputs, lifeEnds: Duration?)
    /// Stop caring for the node's call.
    case giveUp(node: Int)
    case report(node: Int, RunProgress.Step)
    case finish
}
