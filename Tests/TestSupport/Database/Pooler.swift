import Foundation
import LocalPostgres
import Synchronization

/// PgBouncer in front of a test's server, lending each transaction whatever session is free.
package final class Pooler: Sendable {
    /// Where Debian puts it; nil where this machine has none.
    package static let binary: String? = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    package let port: Int
    private let process: Mutex<Process>
    private let folder: String
    /// Its end is the pooler's, however this process ends; no other child of this process may hold it open.
    private let lifeline: FileHandle

    /// Starts one with that many sessions for each user and database, and returns when it takes connections.
    package static func start(before server: TestServer, sessions: Int = 2) async throws -> Pooler {
        let pooler = try Pooler(socketFolder: server.running.socketFolder, sessions: sessions)
        for _ in 0..<60_000 {
            let url = pooler.url(database: "postgres", user: RunningServer.user)
            if let rows = try? await PlainConnection.run("select 1", on: url), rows == [["1"]] { return pooler }
            // Only for the moment until it listens.
            try await Task.sleep(for: .milliseconds(20))
        }
        throw DatabaseTestError("pgbouncer does not start: \(pooler.log)")
    }

    /// True where every command of the tests is to go through a pooler.
    package static let isWanted = unsafe getenv("KNOT_TEST_POOLER").map { unsafe strlen($0) > 0 } ?? false

    private static let shared = Mutex<[String: Task<Pooler, any Error>]>([:])

    /// The URL of a shared server's database as it is, or, where that is wanted, through the one pooler before that server.
    package static func diverted(_ url: String) async throws -> String {
        guard isWanted, let parts = URLComponents(string: url), let user = parts.user, users.contains(user) else {
            return url
        }
        let folder = parts.queryItems?.first { $0.name == "host" }?.value
        for version in ServerVersion.serving where version.installation != nil {
            let server = try await TestServer.shared(version)
            guard server.running.socketFolder == folder else { continue }
            let task = shared.withLock { poolers in
                let task = poolers[server.running.socketFolder] ?? Task { try await start(before: server) }
                poolers[server.running.socketFolder] = task
                return task
            }
            return try await task.value.url(database: String(parts.path.dropFirst()), user: user)
        }
        return url
    }

    private static let users = ["knot", "knot_worker", "knot_person", "postgres"]

    private init(socketFolder: String, sessions: Int) throws {
        guard let binary = Self.binary else { throw DatabaseTestError("pgbouncer is not installed: run `make setup`") }
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw DatabaseTestError("no pipe for pgbouncer")
        }
        let listening = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        lifeline = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        port = try LoopbackPort.free()
        folder = "/tmp/knot-test-pooler-\(getpid())-\(port)"
        // Its account writes its number there.
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o777]
        )
        _ = unsafe chmod(folder, 0o777)
        let users = Self.users.map { "\"\($0)\" \"\"\n" }.joined()
        try users.write(toFile: "\(folder)/users", atomically: true, encoding: .utf8)
        let lines = [
            "[databases]", "* = host=\(socketFolder) port=5432", "[pgbouncer]", "listen_addr = 127.0.0.1",
            "listen_port = \(port)", "unix_socket_dir =", "auth_type = trust", "auth_file = \(folder)/users",
            "pool_mode = transaction", "default_pool_size = \(sessions)", "max_client_conn = 400",
            "max_db_connections = 0",
            "query_wait_timeout = 30", "server_lifetime = 3600", "pidfile = \(folder)/pid", "",
        ]
        try lines.joined(separator: "\n").write(toFile: "\(folder)/config.ini", atomically: true, encoding: .utf8)
        // It refuses to run as root, as the server does. Threads of a pool block all signals and their children inherit
        // that, so only the signal that nothing can block ends it.
        let account = try ServerAccountPrefix.words()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let script = #"exec >"$1" 2>&1; shift; "$@" & pid=$!; read -r line; kill -KILL "$pid"; wait "$pid""#
        process.arguments = ["-c", script, "sh", "\(folder)/log"] + account + [binary, "\(folder)/config.ini"]
        process.standardInput = listening
        try process.run()
        self.process = Mutex(process)
    }

    deinit {
        // Not waited for: this may be a thread that other tests need.
        try? lifeline.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The URL of a database through the pooler.
    package func url(database: String, user: String = RunningServer.user) -> String {
        "postgresql://\(user)@127.0.0.1:\(port)/\(database)?sslmode=disable&gssencmode=disable"
    }

    private var log: String { (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? "" }
}

/// How the tests start a program as an account that is not root.
enum ServerAccountPrefix {
    static func words() throws -> [String] {
        guard geteuid() == 0 else { return [] }
        for name in ["postgres", "nobody"] {
            guard let record = unsafe getpwnam(name) else { continue }
            return unsafe [
                "/usr/bin/setpriv", "--reuid=\(record.pointee.pw_uid)", "--regid=\(record.pointee.pw_gid)",
                "--clear-groups", "--",
            ]
        }
        throw DatabaseTestError("there is no account to run pgbouncer as")
    }
}
