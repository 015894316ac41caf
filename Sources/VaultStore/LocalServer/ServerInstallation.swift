import Glibc

/// A PostgreSQL on this machine: the folder of its programs, its version, and whether it brings pgvector.
package struct ServerInstallation: Sendable, Equatable {
    /// The folder of `postgres` and `initdb`.
    package let programs: String
    package let majorVersion: Int
    package let hasVector: Bool

    /// The oldest version the schema applies to.
    package static let oldestServing = 16

    init(programs: String, majorVersion: Int, hasVector: Bool) {
        self.programs = programs
        self.majorVersion = majorVersion
        self.hasVector = hasVector
    }

    /// Nil when the folder holds no server that this process and the server's account can run and trust.
    init?(programs: String, account: ServerAccount) {
        let server = programs + "/postgres"
        guard let entry = ServerFiles.entry(at: server, followingLinks: true), entry.isFile else { return nil }
        // What others can change is not run on somebody's behalf.
        guard entry.owner == 0 || entry.owner == geteuid(), entry.mode & 0o022 == 0 else { return nil }
        guard unsafe access(server, X_OK) == 0, account.obstacle(onTheWayTo: programs) == nil else { return nil }
        guard let version = Self.version(of: server) else { return nil }
        let shares = [
            "\(programs)/../share/postgresql", "\(programs)/../share", "/usr/share/postgresql/\(version)",
        ]
        let hasVector = shares.contains { share in
            ServerFiles.entry(at: share + "/extension/vector.control", followingLinks: true) != nil
        }
        self.init(programs: programs, majorVersion: version, hasVector: hasVector)
    }

    /// The major version a `postgres` prints of itself: "postgres (PostgreSQL) 18.4 (…)".
    private static func version(of server: String) -> Int? {
        // A program that does not run is no server: the search goes on with the next.
        guard let result = try? ChildProcess.run([server, "--version"]), result.status == 0 else { return nil }
        let words = result.output.split(whereSeparator: \.isWhitespace)
        guard let name = words.firstIndex(of: "(PostgreSQL)"), name + 1 < words.count else { return nil }
        return Int(words[name + 1].prefix { $0.isNumber })
    }
}
