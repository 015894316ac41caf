import Glibc
package import LocalPostgres
import Synchronization

/// A throw-away PostgreSQL server: made on first use, without fsync, deleted when the process ends.
package final class TestServer: Sendable {
    package let version: ServerVersion
    package let server: LocalServer
    private let state: Mutex<RunningServer>
    /// Databases are made one after another: a template serves one copy at a time best.
    let admin: DatabaseMaker

    private init(version: ServerVersion, server: LocalServer, running: RunningServer) {
        self.version = version
        self.server = server
        state = Mutex(running)
        admin = DatabaseMaker(url: running.url(database: "postgres"))
    }

    /// The one server of a version that all tests of this process share; each test takes a database of its own on it.
    package static func shared(_ version: ServerVersion = .eighteen) async throws -> TestServer {
        let task = servers.withLock { servers in
            if let task = servers[version] { return task }
            let task = Task { try await started(version) }
            servers[version] = task
            return task
        }
        return try await task.value
    }

    /// A server for one test alone, which may kill, restart and set it as it likes; it is deleted afterwards.
    @discardableResult
    package static func withOwn<Value: Sendable>(
        _ version: ServerVersion = .eighteen,
        settings: [String: String] = [:],
        authentication: [String]? = nil,
        _ body: (TestServer) async throws -> Value
    ) async throws -> Value {
        let server = try await started(version, settings: settings, authentication: authentication)
        let result: Result<Value, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        try await PlainConnection.onOwnThread { try server.server.remove() }
        return try result.get()
    }

    package var running: RunningServer { state.withLock { $0 } }

    /// The URL of a database of this server.
    package func url(database: String = RunningServer.database, user: String = RunningServer.user) -> String {
        running.url(database: database, user: user)
    }

    /// Stops the server like an operator would.
    package func stop() async throws {
        _ = try await PlainConnection.onOwnThread { try self.server.stop() }
    }

    /// Starts the server again after `stop` or a kill.
    package func start() async throws {
        let running = try await PlainConnection.onOwnThread { try self.server.start() }
        state.withLock { $0 = running }
        await admin.reconnect()
    }

    /// Stops the server as `pg_ctl stop -m immediate` does, and starts it: what was not flushed is lost.
    ///
    /// A process of it that was held by SIGSTOP hears no other signal than SIGKILL.
    package func crash(with held: Int32? = nil) async throws {
        let pid = running.pid
        _ = Glibc.kill(pid, SIGQUIT)
        if let held { _ = Glibc.kill(held, SIGKILL) }
        // It takes no connections long before it has ended, and may not be started before.
        try await PlainConnection.onOwnThread {
            for _ in 0..<240_000 {
                if Glibc.kill(pid, 0) != 0 { return }
                usleep(5_000)
            }
            throw DatabaseTestError("the stopped server \(pid) does not end")
        }
        try await start()
    }

    /// Ends the server's main process without a warning, as the kernel does when memory is short, and waits for its end.
    package func kill() async throws {
        let pid = running.pid
        _ = Glibc.kill(pid, SIGKILL)
        try await awaitEnd(of: pid)
    }

    private func awaitEnd(of pid: Int32) async throws {
        try await PlainConnection.onOwnThread {
            for _ in 0..<240_000 {
                guard try self.server.status() != .stopped else { return }
                usleep(5_000)
            }
            throw DatabaseTestError("the killed server \(pid) does not end")
        }
    }

    private static let servers = Mutex<[ServerVersion: Task<TestServer, any Error>]>([:])

    private static let sweptLeftovers: Task<Void, any Error> = Task {
        try await PlainConnection.onOwnThread { try TestServerFolder.sweepLeftovers() }
    }

    private static func started(
        _ version: ServerVersion,
        settings: [String: String] = [:],
        authentication: [String]? = nil
    ) async throws -> TestServer {
        guard let installation = version.installation else {
            throw DatabaseTestError("\(version) is not on this machine: run `make setup`")
        }
        try await sweptLeftovers.value
        return try await PlainConnection.onOwnThread {
            let folder = try TestServerFolder("\(version.rawValue)")
            let server = try LocalServer(
                folder: folder.path,
                search: ServerSearch(folders: [installation.programs], oldest: version.rawValue, needsVector: false),
                settings: ServerSettings(isDurable: false, extra: settings, authentication: authentication)
            )
            return TestServer(version: version, server: server, running: try server.start())
        }
    }
}
