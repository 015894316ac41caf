/// A finished set that is to be stored, with what else its run has to keep.
package struct PendingSet: Sendable {
    package let record: SetRecord
    /// Such as embeddings of hints: in the same transaction.
    let more: [SQLQuery]

    package init(_ record: SetRecord, with more: [SQLQuery] = []) {
        self.record = record
        self.more = more
    }
}
