/// How long a call may take, and what its end means.
struct CallLimit {
    let call: UInt64
    let deadline: ContinuousClock.Instant?
    /// False for COMMIT: a cancel does not undo it, so at the deadline the connection is given up instead.
    var isCancellable = true
}
