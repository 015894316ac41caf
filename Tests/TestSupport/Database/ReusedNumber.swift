import Glibc
import Synchronization

/// Makes a server lose a transaction and give its number to another one, which commits.
package final class ReusedNumber: Sendable {
    /// With the log's writer held, nothing is flushed but by a COMMIT: a crash before one loses its transaction whole.
    package static let settings = ["checkpoint_timeout": "1d", "autovacuum": "off"]

    private let server: TestServer
    private let database: String
    /// The process that flushes every now and then what nobody waits for; however slow a command is, it shall not.
    private let writer: Int32
    private let found = Mutex<[String]>([])

    package init(_ server: TestServer, database: String) async throws {
        self.server = server
        self.database = database
        let connection = try await PlainConnection.open(server.url(database: database))
        while true {
            let asked = try await connection.run("select pid from pg_stat_activity where backend_type = 'walwriter'")
            guard let found = asked.first?[0].flatMap({ Int32($0) }) else { continue }
            writer = found
            break
        }
        _ = kill(writer, SIGSTOP)
    }

    deinit { _ = kill(writer, SIGCONT) }

    /// What became of each number that was held, such as "committed".
    package var fates: [String] { found.withLock { $0 } }

    /// To be done while a COMMIT is held back; false where that one writes nothing.
    package func bringAbout() async -> Bool {
        let fate: String
        do {
            guard let found = try await lose() else { return false }
            fate = found
        } catch {
            fate = "\(error)"
        }
        found.withLock { $0.append(fate) }
        return true
    }

    private func lose() async throws -> String? {
        let url = server.url(database: database)
        let held = try await PlainConnection.run(
            "select max(backend_xid::text::int8) from pg_stat_activity where backend_xid is not null",
            on: url
        )
        guard let number = held[0][0].flatMap({ Int($0) }) else { return nil }
        try await server.crash(with: writer)
        let connection = try await PlainConnection.open(url)
        while let next = try await connection.run("select pg_current_xact_id()")[0][0].flatMap({ Int($0) }),
            next < number
        {}
        return try await connection.run("select pg_xact_status('\(number)')")[0][0] ?? "unknown"
    }
}
