extension MigrationError {
    /// Classes what a session met while it did something, such as `applying 003_partner_vaults.sql`.
    init(_ error: MigrationSessionError, while doing: String) {
        let state = error.sqlState
        let what = "\(doing): \(error.message)"
        switch state {
        case nil, "53300", "57P01", "57P02", "57P03":
            self.init(.unavailable, what: what, todo: "see whether the server is up, then try again", sqlState: state)
        case let state? where state.hasPrefix("08"):
            self.init(.unavailable, what: what, todo: "see whether the server is up, then try again", sqlState: state)
        case "25006":
            self.init(.readOnly, what: what, todo: "connect to the primary server", sqlState: state)
        case "42501" where error.message.contains("extension \"vector\""):
            // pgvector is not a trusted extension: the owner of a database may not create it.
            let todo = "have a superuser run in this database: create extension vector"
            self.init(.notPermitted, what: what, todo: todo, sqlState: state)
        case "42501" where error.message.contains("permission denied to grant role"):
            let role = error.message.split(separator: "\"").dropFirst().first.map(String.init) ?? "it"
            let todo = "have a superuser grant \(role) to the role that migrates, with admin option"
            self.init(.notPermitted, what: what, todo: todo, sqlState: state)
        case "42501":
            self.init(.notPermitted, what: what, todo: "connect as the owner of the database", sqlState: state)
        case "57014", "55P03":
            self.init(.failed, what: what, todo: "try again when nobody holds it, or allow more time", sqlState: state)
        default:
            self.init(
                .failed,
                what: what,
                todo: "nothing of it was kept; repair the cause and try again",
                sqlState: state
            )
        }
    }
}
