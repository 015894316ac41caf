/// What a run wants done.
enum RunAction: Sendable {
    /// Start a call; its life ends at the instant, given as an offset from the run's start, if it has one of its own.
    case launch(node: Int, attempt: Int, StageInputs, lifeEnds: Duration?)
    /// Stop caring for the node's call.
    case giveUp(node: Int)
    case report(node: Int, RunProgress.Step)
    case finish

    var isLaunch: Bool {
        if case .launch = self { true } else { false }
    }
}
