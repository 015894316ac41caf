import LocalPostgres
import TestSupport
import Testing

@testable import PostgresClient

@Suite("A verified connection", .tags(.database), .needs(.fifteen))
struct TLSTests {
    /// The server is reached at the loopback by an address, while its certificate is checked against the host's name.
    private func url(_ server: TestServer, port: Int, host: String, mode: String, root: String?) -> String {
        "host=\(host) hostaddr=127.0.0.1 port=\(port) user=knot dbname=postgres sslmode=\(mode)"
            + (root.map { " sslrootcert=\($0)" } ?? " sslrootcert=/nonexistent/root.crt")
    }

    @Test func `needs the right name, and an authority that is known`() async throws {
        let papers = try TLSPapers(host: "db.example.org")
        defer { papers.remove() }
        let port = try LoopbackPort.free()
        let settings = [
            "listen_addresses": "127.0.0.1", "port": "\(port)", "ssl": "on", "ssl_cert_file": papers.serverCertificate,
            "ssl_key_file": papers.serverKey,
        ]
        let rules = ["local all all trust", "hostssl all all 127.0.0.1/32 trust"]
        try await TestServer.withOwn(.fifteen, settings: settings, authentication: rules) { server in
            func attempt(_ host: String, _ mode: String, _ root: String?) async throws -> PostgresError? {
                let target = try ConnectionTarget(url: url(server, port: port, host: host, mode: mode, root: root))
                do throws(PostgresError) {
                    let connection = try await PostgresConnection.connect(to: target, until: LastResort.end)
                    #expect(await connection.isEncrypted)
                    await connection.close()
                    return nil
                } catch {
                    return error
                }
            }
            let good = try await attempt("db.example.org", "verify-full", papers.authority)
            #expect(good == nil)
            let otherName = try await attempt("other.example.org", "verify-full", papers.authority)
            #expect(otherName?.code == .tlsFailed)
            let otherAuthority = try await attempt("db.example.org", "verify-full", papers.otherAuthority)
            #expect(otherAuthority?.code == .tlsFailed)
            let noAuthority = try await attempt("db.example.org", "verify-full", nil)
            #expect(noAuthority?.code == .tlsFailed)
            let plain = try await attempt("db.example.org", "disable", nil)
            #expect(plain?.code == .tlsRequired)
        }
    }

    @Test func `to a server without TLS says that it is required`() async throws {
        let database = try await TestServer.shared(.fifteen)
        let proxy = try WireProxy(to: database.running.socketFolder + "/.s.PGSQL.5432")
        // A Unix socket refuses to encrypt, and so does the proxy in front of it.
        let target = try ConnectionTarget(
            url: "host=127.0.0.1 port=\(proxy.port) user=knot dbname=postgres sslmode=require"
        )
        let error = try await errorOf { () async throws(PostgresError) in
            try await PostgresConnection.connect(to: target, until: LastResort.end)
        }
        #expect(error.code == .tlsRequired)
    }
}
