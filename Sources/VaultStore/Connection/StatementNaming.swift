/// Whether a connection's statements are prepared under names.
///
/// A pooler that lends a server's session for one transaction gives the next one another session, which knows no name. It
/// shows by the number of the server's process, which is then not the one that was told when the connection was made.
enum StatementNaming {
    /// Not asked yet: nothing is named, and the first statements bring the question with them.
    case undecided
    case named
    case unnamed

    static let question: SQLQuery = "select pg_catalog.pg_backend_pid() as backend"
}
