/// What a server has, held against what we need of it.
struct ServerRequirements: Sendable {
    /// Such as 160004 for 16.4.
    let versionNumber: Int
    let version: String
    /// pgvector's version, installed or on offer; nil when the server does not offer it.
    let vector: String?

    func check() throws(MigrationError) {
        let isOld = versionNumber < 160_000
        let short = version.split(separator: " ").first.map(String.init) ?? version
        guard let vector else {
            let package = "postgresql-\(isOld ? 16 : versionNumber / 10_000)-pgvector"
            throw MigrationError(
                .extensionMissing,
                what: "the server (PostgreSQL \(short)) does not offer the extension \"vector\" (pgvector)"
                    + (isOld ? " and is older than PostgreSQL 16" : ""),
                todo: (isOld ? "use PostgreSQL 16 or later and " : "")
                    + "install pgvector on the server (apt.postgresql.org has it as \(package); see "
                    + "https://github.com/pgvector/pgvector), or use: knot-recommend dev-db start"
            )
        }
        guard !isOld else {
            throw MigrationError(
                .serverTooOld,
                what: "the server is PostgreSQL \(short)",
                todo: "use PostgreSQL 16 or later, or: knot-recommend dev-db start"
            )
        }
        let parts = vector.split(separator: ".").map { Int($0) ?? 0 }
        guard let major = parts.first, (major, parts.dropFirst().first ?? 0) >= (0, 7) else {
            throw MigrationError(
                .extensionTooOld,
                what: "the server's pgvector is \(vector)",
                todo: "install pgvector 0.7 or later, then: alter extension vector update"
            )
        }
    }
}
