/// A transaction whose COMMIT was sent and not answered: only a new connection can tell whether it happened.
package struct UnknownCommit: Sendable, Hashable, CustomStringConvertible {
    /// The server's 64-bit name of the transaction.
    package let transactionID: UInt64

    package init(transactionID: UInt64) {
        self.transactionID = transactionID
    }

    package var description: String { "transaction \(transactionID)" }
}
