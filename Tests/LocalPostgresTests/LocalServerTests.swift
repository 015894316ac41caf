import Foundation
import TestSupport
import Testing

@testable import LocalPostgres

@Suite("A server of our own", .tags(.database))
struct LocalServerTests {
    @Test(arguments: ServerVersion.serving)
    func `starts once, keeps its data over a stop, and starts again`(version: ServerVersion) async throws {
        try await ServerPlayground.with { playground in
            let server = try playground.server(version: version, extra: ["max_connections": "17"])
            #expect(try await onThread { try server.status() } == .absent)
            #expect(try await onThread { try server.stop() } == false)

            let first = try await onThread { try server.start() }
            #expect(first.majorVersion == version.rawValue)
            #expect(try await onThread { try server.start() } == first)
            #expect(try await onThread { try server.status() } == .running(first))
            let url = first.url
            try await PlainConnection.run("create table kept as select 7 as value", on: url)
            #expect(try await PlainConnection.run("show max_connections", on: url) == [["17"]])

            #expect(try await onThread { try server.stop() })
            #expect(try await onThread { try server.stop() } == false)
            #expect(try await onThread { try server.status() } == .stopped)
            #expect(!ProcessTable.isRunning(first.pid))
            #expect(!FileManager.default.fileExists(atPath: first.socketFolder + "/" + ServerFolder.socketName))

            let second = try await onThread { try server.start() }
            #expect(second.pid != first.pid)
            #expect(try await PlainConnection.run("select value from kept", on: second.url) == [["7"]])
            try await onThread { try server.remove() }
            #expect(!FileManager.default.fileExists(atPath: playground.folder))
        }
    }

    @Test func `is empty again after a reset`() async throws {
        try await ServerPlayground.with { playground in
            let server = try playground.server()
            let first = try await onThread { try server.start() }
            try await PlainConnection.run("create table lost ()", on: first.url)
            let second = try await onThread { try server.reset() }
            #expect(second.pid != first.pid)
            #expect(try await PlainConnection.run("select to_regclass('lost')", on: second.url) == [[nil]])
        }
    }

    @Test func `is started once by many at the same time`() async throws {
        try await ServerPlayground.with { playground in
            let server = try playground.server()
            let pids = try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<5 { group.addTask { try await onThread { try server.start().pid } } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(pids.count == 1)
        }
    }

    @Test func `has everything that was committed after it was killed`() async throws {
        try await ServerPlayground.with { playground in
            let server = try playground.server()
            let first = try await onThread { try server.start() }
            let left = try await PlainConnection.open(first.url)
            try await left.run("create table kept as select 7 as value")
            try await playground.kill(first.pid)
            let second = try await onThread { try server.start() }
            #expect(second.pid != first.pid)
            #expect(try await PlainConnection.run("select value from kept", on: second.url) == [["7"]])
            await #expect(throws: DatabaseTestError.self) { try await left.run("select 1") }
        }
    }

    @Test func `does not take another process for itself when its old number is in use again`() async throws {
        try await ServerPlayground.with { playground in
            let server = try playground.server()
            let first = try await onThread { try server.start() }
            let file = try String(contentsOfFile: playground.folder + "/data/postmaster.pid", encoding: .utf8)
            try await playground.kill(first.pid)
            // As after a restart of the machine: the number is that of a living process, here of this test.
            let own = file.replacingOccurrences(of: "\(first.pid)\n", with: "\(getpid())\n")
            try #require(own != file)
            for name in ["data/postmaster.pid", "socket/\(ServerFolder.socketName).lock"] {
                try playground.write(own, to: "server/\(name)")
            }
            #expect(try await onThread { try server.status() } == .stopped)
            #expect(try await onThread { try server.stop() } == false)
            let second = try await onThread { try server.start() }
            #expect(try await PlainConnection.run("select 1", on: second.url) == [["1"]])
        }
    }

    @Test func `begins anew where an earlier start was killed half-way`() async throws {
        try await ServerPlayground.with { playground in
            let server = try playground.server()
            try await onThread { try server.folder.claim(for: ServerAccount.current()) }
            try playground.write("18\n", to: "server/data.unfinished/PG_VERSION")
            #expect(try await onThread { try server.status() } == .absent)
            let running = try await onThread { try server.start() }
            #expect(try await PlainConnection.run("select 1", on: running.url) == [["1"]])
        }
    }

    @Test func `puts its socket into a short folder when its own path is too long`() async throws {
        try await ServerPlayground.with { playground in
            let folder = playground.root + "/" + String(repeating: "a long name ", count: 9)
            let server = try playground.server(folder)
            let running = try await onThread { try server.start() }
            #expect(running.socketFolder.hasPrefix("/tmp/knot-"))
            #expect(try await PlainConnection.run("select 1", on: running.url) == [["1"]])
            try await onThread { try server.remove() }
            #expect(!FileManager.default.fileExists(atPath: running.socketFolder))
        }
    }

    @Test func `lets nobody but its account and us to its socket`() async throws {
        try await ServerPlayground.with { playground in
            let running = try await onThread { [server = try playground.server()] in try server.start() }
            let entry = try #require(ServerFiles.entry(at: running.socketFolder))
            #expect(entry.mode & 0o777 == 0o700)
            #expect(try await PlainConnection.run("show listen_addresses", on: running.url) == [[""]])
            let account = try ServerAccount.current()
            let process = try #require(ServerFiles.entry(at: "/proc/\(running.pid)"))
            #expect(process.owner == account.user ?? geteuid())
            #expect(process.owner != 0)
        }
    }
}
