import Glibc
import TestSupport
import Testing

@testable import LocalPostgres

@Suite("The development database", .tags(.database))
struct DevDatabaseTests {
    @Test func `starts, tells its URL, resets and stops`() async throws {
        try await ServerPlayground.with { playground in
            let database = try DevDatabase(environment: TestEnvironment.values, folder: playground.folder)
            let early = await #expect(throws: LocalServerError.self) { try await database.url() }
            #expect(early?.code == .notRunning)

            let running = try await database.start()
            #expect(running.majorVersion >= ServerInstallation.oldestServing)
            #expect(try await database.status() == .running(running))
            let url = try await database.url()
            #expect(try await PlainConnection.run("create extension vector; show fsync", on: url) == [["on"]])

            let fresh = try await database.reset()
            let extensions = try await PlainConnection.run("select extname from pg_extension", on: fresh.url)
            #expect(extensions == [["plpgsql"]])
            #expect(try await database.stop())
            #expect(try await database.stop() == false)
            #expect(try await database.status() == .stopped)
        }
    }

    @Test func `lives in the user's data folder unless told otherwise`() throws {
        #expect(try DevDatabase.defaultFolder(["KNOT_DEV_DB": "/a", "XDG_DATA_HOME": "/b", "HOME": "/c"]) == "/a")
        #expect(try DevDatabase.defaultFolder(["XDG_DATA_HOME": "/b", "HOME": "/c"]) == "/b/knot-recommend/dev-db")
        let home = try DevDatabase.defaultFolder(["HOME": "/c"])
        #expect(
            home == (geteuid() == 0 ? "/var/lib/knot-recommend/dev-db" : "/c/.local/share/knot-recommend/dev-db")
        )
    }
}
