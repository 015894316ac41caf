/// What a connection knows of the transaction it is in.
struct OpenTransaction {
    let number: UInt64
    let mode: TransactionMode
    let deadline: ContinuousClock.Instant?
    /// BEGIN travels with the first statements, in the same round trip.
    var hasBegun = false
    /// The server's name of it; known before COMMIT is sent.
    var id: UInt64?
    var isRolledBack = false
}
