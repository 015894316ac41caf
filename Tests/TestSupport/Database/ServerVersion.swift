package import LocalPostgres

/// The PostgreSQL versions that tests run against.
package enum ServerVersion: Int, Sendable, CaseIterable, CustomStringConvertible {
    /// Debian 12's own, without pgvector, and with TLS.
    case fifteen = 15
    case sixteen = 16
    case eighteen = 18

    /// Those the schema applies to.
    package static let serving: [ServerVersion] = [.eighteen, .sixteen]

    package var description: String { "PostgreSQL \(rawValue)" }

    /// The installation, nil where this machine has none: a reason to skip for Debian's, a fault of set-up for the others.
    package var installation: ServerInstallation? {
        Self.found[rawValue]
    }

    /// Looked for once: each candidate is asked for its version.
    private static let found: [Int: ServerInstallation] = {
        // Tests that need a version which is not found say so themselves.
        let installations = (try? ServerSearch(environment: TestEnvironment.values).installations()) ?? []
        return Dictionary(installations.map { ($0.majorVersion, $0) }) { first, _ in first }
    }()
}
