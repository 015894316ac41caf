import TestSupport
import Testing

@testable import Migrations
@testable import VaultStore

/// What a server must have before anything is done to it.
struct ServerRequirementsTests {
    private static func error(_ number: Int, _ version: String, vector: String?) -> MigrationError? {
        do throws(MigrationError) {
            try ServerRequirements(versionNumber: number, version: version, vector: vector).check()
            return nil
        } catch {
            return error
        }
    }

    @Test func `Debian's 15 without pgvector is told how to get it`() {
        let error = Self.error(150_018, "15.18 (Debian 15.18-0+deb12u1)", vector: nil)
        #expect(error?.code == .extensionMissing)
        #expect(error?.description.contains("pgvector") == true && error?.description.contains("15.18") == true)
        #expect(error?.todo.contains("PostgreSQL 16 or later") == true)
    }

    @Test func `a missing pgvector names the package for that server`() {
        let error = Self.error(180_004, "18.4", vector: nil)
        #expect(error?.code == .extensionMissing && error?.todo.contains("postgresql-18-pgvector") == true)
    }

    @Test func `15 with pgvector is too old all the same`() {
        #expect(Self.error(150_018, "15.18", vector: "0.8.0")?.code == .serverTooOld)
    }

    @Test(arguments: ["0.6.2", "0.5", "garbage", ""])
    func `an old pgvector is refused`(version: String) {
        #expect(Self.error(160_000, "16.0", vector: version)?.code == .extensionTooOld)
    }

    @Test(arguments: ["0.7.0", "0.8.5", "0.10", "1.0"])
    func `16 with pgvector 0.7 or later will do`(version: String) {
        #expect(Self.error(160_000, "16.0", vector: version) == nil)
    }

    @Test(.needs(.fifteen), .tags(.database))
    func `Debian's own server is refused before anything is written`() async throws {
        try await SchemaDatabase.with(.fifteen, isMigrated: false) { database in
            let session = try database.connect()
            do throws(MigrationError) {
                _ = try await Migrator(session, engineVersion: "test").migrate()
                Issue.record("a server without pgvector was accepted")
            } catch {
                #expect(error.code == .extensionMissing)
            }
            let schema = try await session.value("select to_regnamespace('knot')")
            #expect(schema == nil)
        }
    }
}
