import JSONDocument
package import KnotDomain

/// Under whose rights a transaction runs.
package enum ActingIdentity: Sendable, Hashable {
    /// Those of the role that connected.
    case connection
    /// One person's: the role `authenticated` with their claims, up to the end of the transaction.
    case person(UserID)

    /// What has to run first in the transaction.
    var statements: [SQLQuery] {
        switch self {
        case .connection: []
        case .person(let user):
            [
                """
                select pg_catalog.set_config('request.jwt.claims', \(claims(of: user)), true),
                    pg_catalog.set_config('role', 'authenticated', true)
                """
            ]
        }
    }

    /// What gives the transaction the connection's own role back.
    var ending: [SQLQuery] {
        switch self {
        case .connection: []
        case .person: ["select pg_catalog.set_config('role', 'none', true)"]
        }
    }

    private func claims(of user: UserID) -> String {
        JSONWriter.text(["role": "authenticated", "sub": .string(user.text)])
    }
}
