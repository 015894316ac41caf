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
