import Foundation
import TestSupport
import Testing

@testable import LocalPostgres

@Suite("A server of our own refuses", .tags(.database))
struct LocalServerRefusalTests {
    private typealias Work = @Sendable (LocalServer) throws -> Void

    private static let every: [Work] = [
        { _ = try $0.start() }, { _ = try $0.stop() }, { _ = try $0.status() }, { _ = try $0.reset() },
        { try $0.remove() },
    ]

    @Test func `to touch a folder that holds other things`() async throws {
        try await ServerPlayground.with { playground in
            try playground.write("mine", to: "server/letter")
            let server = try playground.server()
            for work in Self.every {
                let error = await #expect(throws: LocalServerError.self) { try await onThread { try work(server) } }
                #expect(error?.code == .foreignFolder)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: playground.folder) == ["letter"])
        }
    }

    @Test func `to touch a server whose folder is not marked as ours`() async throws {
        try await ServerPlayground.with { playground in
            let server = try playground.server()
            let running = try await onThread { try server.start() }
            try FileManager.default.removeItem(atPath: server.folder.marker)
            for work in Self.every {
                let error = await #expect(throws: LocalServerError.self) { try await onThread { try work(server) } }
                #expect(error?.code == .foreignFolder)
            }
            #expect(try await PlainConnection.run("select 1", on: running.url) == [["1"]])
        }
    }

    @Test func `a marker that is a link to somewhere else`() async throws {
        try await ServerPlayground.with { playground in
            try playground.write("", to: "server/other")
            let server = try playground.server()
            try FileManager.default.createSymbolicLink(
                atPath: server.folder.marker,
                withDestinationPath: playground.folder + "/other"
            )
            let error = await #expect(throws: LocalServerError.self) { try await onThread { try server.reset() } }
            #expect(error?.code == .foreignFolder)
        }
    }

    @Test func `a file where its folder should be`() async throws {
        try await ServerPlayground.with { playground in
            try playground.write("", to: "server")
            let server = try playground.server()
            let error = await #expect(throws: LocalServerError.self) { try await onThread { try server.start() } }
            #expect(error?.code == .foreignFolder)
        }
    }

    @Test func `data of a version that is not here, and keeps them`() async throws {
        try await ServerPlayground.with { playground in
            let old = try playground.server(version: .sixteen)
            _ = try await onThread { try old.start() }
            _ = try await onThread { try old.stop() }
            let new = try playground.server(version: .eighteen)
            let error = await #expect(throws: LocalServerError.self) { try await onThread { try new.start() } }
            #expect(error?.code == .otherVersion)
            #expect(try await onThread { try old.start() }.majorVersion == 16)
        }
    }

    @Test func `to wait longer than it should for another start`() async throws {
        try await ServerPlayground.with { playground in
            let server = try playground.server(patience: .milliseconds(20))
            let error = await #expect(throws: LocalServerError.self) {
                try await onThread {
                    try server.folder.claim(for: ServerAccount.current())
                    let lock = try FolderLock.acquire(server.folder.lock, patience: .zero)
                    defer { withExtendedLifetime(lock) {} }
                    _ = try server.start()
                }
            }
            #expect(error?.code == .busy)
        }
    }

    @Test func `to make anything on a machine without a server`() async throws {
        try await ServerPlayground.with { playground in
            let server = try LocalServer(folder: playground.folder, search: ServerSearch(folders: [playground.root]))
            let error = await #expect(throws: LocalServerError.self) { try await onThread { try server.start() } }
            #expect(error?.code == .noServer)
            #expect(error?.todo.contains("make setup") == true)
            #expect(!FileManager.default.fileExists(atPath: playground.folder))
        }
    }

    @Test func `a setting the server does not know, and says which`() async throws {
        try await ServerPlayground.with { playground in
            let server = try playground.server(extra: ["no_such_setting": "1"])
            let error = await #expect(throws: LocalServerError.self) { try await onThread { try server.start() } }
            #expect(error?.code == .startFailed)
            #expect(error?.what.contains("no_such_setting") == true)
        }
    }

    @Test func `a folder that its account may not enter`() async throws {
        try await ServerPlayground.with { playground in
            let hidden = playground.root + "/hidden"
            try FileManager.default.createDirectory(atPath: hidden, withIntermediateDirectories: false)
            // As root the account may not pass through; as anybody else we may not write.
            let mode = geteuid() == 0 ? 0o700 : 0o500
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: hidden)
            let server = try playground.server(hidden + "/server")
            let error = await #expect(throws: LocalServerError.self) { try await onThread { try server.start() } }
            #expect(error?.code == .notPermitted)
            #expect(try FileManager.default.contentsOfDirectory(atPath: hidden).isEmpty)
        }
    }

    @Test(.enabled("only root can make a small disk") { geteuid() == 0 })
    func `a disk that is full, and leaves nothing half-done on it`() async throws {
        try await ServerPlayground.with { playground in
            let disk = playground.root + "/disk"
            try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
            let mount = ["/bin/mount", "-t", "tmpfs", "-o", "size=8m,mode=0755", "none", disk]
            guard try await onThread({ try ChildProcess.run(mount).status == 0 }) else {
                try Test.cancel("this container may not mount a disk")
            }
            let server = try playground.server(disk + "/server")
            let error = await #expect(throws: LocalServerError.self) { try await onThread { try server.start() } }
            let status = try await onThread { try server.status() }
            let unmounted = try await onThread { try ChildProcess.run(["/bin/umount", disk]) }
            #expect(error?.code == .diskFull)
            #expect(status == .absent)
            #expect(unmounted.status == 0, "somebody still works there: \(unmounted.output)")
        }
    }

    @Test(arguments: ["relative/folder", "", "/tmp/two\nlines"])
    func `a path that is no plain absolute one`(folder: String) {
        let error = #expect(throws: LocalServerError.self) {
            try LocalServer(folder: folder, search: ServerSearch(folders: []))
        }
        #expect(error?.code == .foreignFolder)
    }

    @Test(arguments: [
        ("initdb: error: could not write file: No space left on device", LocalServerError.Code.diskFull),
        ("FATAL:  could not open file: Permission denied\n", .notPermitted),
        ("LOG:  one\nFATAL:  lock file is empty\nLOG:  down\n", .startFailed), ("", .startFailed),
    ])
    func `with the reason its programs printed`(output: String, code: LocalServerError.Code) throws {
        let server = try LocalServer(folder: "/tmp/none", search: ServerSearch(folders: []))
        let error = server.failure("cannot start", output)
        #expect(error.code == code)
        if let line = output.split(separator: "\n").first(where: { $0.contains(":  l") }) {
            #expect(error.what.hasSuffix(String(line)))
        }
    }
}
