import Foundation
import TestSupport
import Testing

@testable import LocalPostgres

@Suite("A test's server", .tags(.database))
struct TestServerTests {
    @Test func `goes away with a process that is killed`() async throws {
        try await ServerPlayground.with { playground in
            let note = playground.root + "/note"
            await #expect(processExitsWith: .signal(SIGKILL)) { [note = note as String] in
                let server = try await TestServer.shared()
                try Data(server.running.folder.utf8).write(to: URL(filePath: note))
                kill(getpid(), SIGKILL)
            }
            let folder = try String(contentsOfFile: note, encoding: .utf8)
            #expect(folder.contains("/knot-test-"))
            let isGone = try await onThread {
                ProcessTable.wait(LastResort.limit) {
                    ServerFiles.entry(at: folder) == nil && ProcessTable.processes(in: folder + "/data").isEmpty
                }
            }
            #expect(isGone, "\(folder) is still there")
        }
    }

    @Test func `of one test's own can be killed and started again`() async throws {
        try await TestServer.withOwn(settings: ["max_connections": "9"]) { server in
            #expect(try await PlainConnection.run("show max_connections", on: server.url()) == [["9"]])
            try await withDatabase(on: server) { try await $0.run("select 1") }
            try await server.kill()
            try await server.start()
            try await withDatabase(on: server) { try await $0.run("select 1") }
        }
    }

    @Test func `asks for a password where the test wants it`() async throws {
        let lines = ["local all knot trust", "local all all scram-sha-256"]
        try await TestServer.withOwn(authentication: lines) { server in
            try await PlainConnection.run("create role guest login password 'right'", on: server.url())
            let error = await #expect(throws: DatabaseTestError.self) {
                try await PlainConnection.run("select 1", on: server.url(user: "guest") + "&password=wrong")
            }
            #expect(error?.description.contains("password authentication failed") == true)
            try await PlainConnection.run("select 1", on: server.url(user: "guest") + "&password=right")
        }
    }
}
