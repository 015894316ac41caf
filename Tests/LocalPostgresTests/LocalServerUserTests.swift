import Glibc
import TestSupport
import Testing

@testable import LocalPostgres

@Suite("A server of an ordinary user", .tags(.database))
struct LocalServerUserTests {
    /// Any user that is not root; the number is that of `nobody` on most systems.
    private static let user: uid_t = 65_534

    @Test(.enabled("only root can become another user") { geteuid() == 0 })
    func `starts, answers and stops without root`() async {
        await #expect(processExitsWith: .success) {
            try #require(setgroups(0, nil) == 0 && setgid(Self.user) == 0 && setuid(Self.user) == 0)
            try await ServerPlayground.with { playground in
                let server = try playground.server()
                let running = try await onThread { try server.start() }
                let process = try #require(ServerFiles.entry(at: "/proc/\(running.pid)"))
                #expect(process.owner == Self.user)
                #expect(try await PlainConnection.run("select 1", on: running.url) == [["1"]])
                #expect(try await onThread { try server.start() } == running)
                #expect(try await onThread { try server.stop() })
                try await onThread { try server.remove() }
                #expect(ServerFiles.entry(at: playground.folder) == nil)
            }
        }
    }

    @Test(.enabled("only root can become another user") { geteuid() == 0 })
    func `is not touched by another user`() async throws {
        try await ServerPlayground.with { playground in
            let server = try playground.server()
            let running = try await onThread { try server.start() }
            let folder = playground.folder
            await #expect(processExitsWith: .success) { [folder = folder as String] in
                try #require(setgroups(0, nil) == 0 && setgid(Self.user) == 0 && setuid(Self.user) == 0)
                let server = try LocalServer(folder: folder, search: ServerSearch(environment: [:]))
                for work in [{ _ = try server.stop() }, { _ = try server.reset() }] as [@Sendable () throws -> Void] {
                    let error = await #expect(throws: LocalServerError.self) { try await onThread(work) }
                    #expect(error?.code == .foreignFolder)
                }
            }
            #expect(try await PlainConnection.run("select 1", on: running.url) == [["1"]])
        }
    }
}
