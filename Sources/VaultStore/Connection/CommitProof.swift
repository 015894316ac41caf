/// What a transaction leaves behind that anybody can see once it is committed, and nobody before: a key, a digest, or that
/// something is gone.
///
/// Only this tells how a COMMIT ended that nobody answered. The transaction's number does not: a server that crashed before
/// the COMMIT was flushed gives the same number out again, and somebody else's work is then "committed" under it.
package struct CommitProof<Value: Sendable>: Sendable {
    let look: [SQLQuery]
    /// Nil where the effect is not there.
    let value: @Sendable ([Rows]) throws(PostgresError) -> Value?

    /// Looks with statements of its own, and makes the value out of what they find.
    package init(
        _ look: [SQLQuery],
        _ value: @escaping @Sendable ([Rows]) throws(PostgresError) -> Value?
    ) {
        self.look = look
        self.value = value
    }

    /// The value, where the statement returns a row.
    package init(of value: Value, _ look: SQLQuery) {
        self.init([look]) { rows throws(PostgresError) in rows[0].isEmpty ? nil : value }
    }

    /// For work that is the same done twice: instead of looking for it, it is done again.
    package static var byRepeating: CommitProof { CommitProof([]) { _ throws(PostgresError) in nil } }
}

/// How the body of a writing transaction ends.
package enum Conclusion<Value: Sendable>: Sendable {
    /// Nothing is to be kept: the transaction is rolled back, and this is the answer.
    case unwritten(Value)
    /// To be committed, with what proves it where the COMMIT is not answered.
    case written(Value, CommitProof<Value>)
}
