import JSONDocument
package import KnotDomain
package import PostgresClient

extension ActingIdentity {
    /// One person's: the role `authenticated` with their claims, up to the end of the transaction.
    package static func person(_ user: UserID) -> ActingIdentity {
        let claims = JSONWriter.text(["role": "authenticated", "sub": .string(user.text)])
        return ActingIdentity(
            statements: [
                """
                select pg_catalog.set_config('request.jwt.claims', \(claims), true),
                    pg_catalog.set_config('role', 'authenticated', true)
                """
            ],
            ending: ["select pg_catalog.set_config('role', 'none', true)"]
        )
    }

    /// The person that `--as-user` names.
    ///
    /// Only an id of the form that all people have is one: the name of a role, such as `service_role`, is refused.
    package init(asUser text: String) throws(PostgresError) {
        guard let id = PostgresUUID(text) else {
            throw PostgresError(.notPermitted, at: "--as-user", detail: "it takes a person's id, which is a UUID")
        }
        self = .person(UserID(id.description))
    }

    /// Throws unless the transaction's role is one that may be used: never one that by design sees everybody's rows.
    func check(role: String, session: String) throws(PostgresError) {
        if role == "service_role" || session == "service_role" {
            throw PostgresError(
                .notPermitted,
                at: "role service_role",
                detail: "it sees every row of everybody; connect as knot_worker, or as knot_person with --as-user"
            )
        }
        guard self == .connection || role == "authenticated" else {
            throw PostgresError(.notPermitted, at: "role \(role)", detail: "the role could not be changed")
        }
    }
}
