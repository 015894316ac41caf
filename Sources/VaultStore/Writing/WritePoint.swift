/// A named moment around the write of a set, where a test may end the process.
///
/// The statements travel together in one round trip, so there is no moment between them.
package enum WritePoint: String, Sendable, CaseIterable {
    case beforeConnection = "before_connection"
    case beforeBegin = "before_begin"
    /// The run, its rows and the hints are written, and nothing is checked yet.
    case afterStatements = "after_statements"
    /// The next thing that is sent is COMMIT.
    case beforeCommit = "before_commit"
    case afterCommit = "after_commit"
    /// The connection is back in the pool, and the caller knows nothing yet.
    case beforeAnswer = "before_answer"
}
