/// Something a server said beside its answers: kept for those who ask, never printed.
package struct PostgresNotice: Sendable, Hashable {
    /// `NOTICE`, `WARNING` and so on, in English whatever the server's language.
    package let severity: String
    package let sqlState: String
    package let message: String
}
