import Foundation
import Testing

@testable import PostgresClient

@Suite("A connection's target")
struct ConnectionTargetTests {
    @Test(arguments: ["mysql://host/db", "postgresql://host:port:1/x", "host", "postgresql://u:hunter2@h/db?absent=1"])
    func `refuses what libpq cannot read, and repeats nothing of it`(url: String) throws {
        let error = try #require(#expect(throws: PostgresError.self) { try ConnectionTarget(url: url) })
        #expect(error.code == .configuration)
        #expect(!"\(error)".contains("hunter2"))
        #expect(!"\(error)".contains("mysql"))
    }

    @Test(arguments: [
        "postgresql://db.example.org/knot", "postgres://db.example.org/knot?sslmode=require",
        "host=10.0.0.7 dbname=knot sslmode=verify-ca", "host=127.0.0.1,db.example.org dbname=knot",
        "host=localhost hostaddr=10.0.0.7 dbname=knot", "postgresql://127.0.0.1.example.org/knot",
        "postgresql://localhost.example.org/knot?sslmode=prefer", "host=::2 sslmode=disable",
    ])
    func `off this machine must verify the server`(url: String) throws {
        let error = try #require(#expect(throws: PostgresError.self) { try ConnectionTarget(url: url) })
        #expect(error.code == .configuration)
        #expect(error.place.hasPrefix("sslmode"))
        let weak = try ConnectionTarget(url: url, allowsWeakTLS: true)
        #expect(!weak.host.isEmpty)
    }

    @Test(arguments: [
        "postgresql:///knot?host=/run/postgresql", "postgresql://127.0.0.1/knot", "postgresql://127.9.9.9/knot",
        "postgresql://localhost/knot", "postgresql://[::1]/knot", "host=/tmp dbname=knot",
        "postgresql://db.example.org/knot?sslmode=verify-full",
    ])
    func `on this machine, or verified, is taken`(url: String) throws {
        #expect(try ConnectionTarget(url: url).database == "knot")
    }

    @Test func `never shows a password`() throws {
        let target = try ConnectionTarget(url: "postgresql://ada:hunter2@localhost:6543/knot")
        var dumped = ""
        dump(target, to: &dumped)
        for text in ["\(target)", String(reflecting: target), dumped, "\(target.settings)"] {
            #expect(!text.contains("hunter2"))
        }
        #expect(target.description == "database knot on localhost:6543")
        #expect(target.user == "ada")
    }

    @Test func `reads PG variables and a service file as psql does`() async {
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "knot-service-\(getpid())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "services.conf")
            try "[home]\nhost=/run/home\nport=7001\ndbname=fromservice\n".write(
                to: file,
                atomically: true,
                encoding: .utf8
            )
            for (name, value) in [
                ("PGHOST", "/run/one"), ("PGPORT", "7000"), ("PGUSER", "ada"), ("PGDATABASE", "fromenv"),
            ] {
                unsafe setenv(name, value, 1)
            }
            let plain = try ConnectionTarget(url: nil)
            precondition(plain.host == "/run/one" && plain.port == "7000" && plain.database == "fromenv")
            precondition(plain.user == "ada")
            // What a URL says wins over the environment; what it leaves open comes from there.
            let mixed = try ConnectionTarget(url: "postgresql:///other")
            precondition(mixed.database == "other" && mixed.port == "7000")
            unsafe setenv("PGSERVICEFILE", file.path, 1)
            unsafe setenv("PGSERVICE", "home", 1)
            let service = try ConnectionTarget(url: nil)
            precondition(service.host == "/run/home" && service.port == "7001" && service.database == "fromservice")
            unsafe setenv("PGSERVICE", "absent", 1)
            do throws(PostgresError) {
                _ = try ConnectionTarget(url: nil)
                preconditionFailure("a missing service was taken")
            } catch {
                precondition(error.code == .configuration)
            }
        }
    }
}
