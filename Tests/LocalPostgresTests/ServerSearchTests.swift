import FileInput
import Foundation
import Testing

@testable import LocalPostgres

@Suite("The search for a server")
struct ServerSearchTests {
    /// A program that only says its version, in a folder laid out like an installation.
    private static func place(
        _ version: String,
        vector: Bool,
        at name: String,
        in playground: ServerPlayground
    ) async throws -> String {
        let script = "#!/bin/sh\necho 'postgres (PostgreSQL) \(version)'\n"
        try await playground.writeProgram(script, to: "\(name)/bin/postgres")
        if vector { try playground.write("", to: "\(name)/share/postgresql/extension/vector.control") }
        return "\(playground.root)/\(name)/bin"
    }

    @Test func `takes the first that has pgvector and is new enough`() async throws {
        try await ServerPlayground.with { playground in
            let folders = [
                try await Self.place("18.1 (Debian 18.1-1)", vector: false, at: "a", in: playground),
                try await Self.place("15.9", vector: true, at: "b", in: playground),
                try await Self.place("17beta2", vector: true, at: "c", in: playground),
                try await Self.place("18.4", vector: true, at: "d", in: playground),
            ]
            let search = ServerSearch(folders: folders + folders)
            let (found, best, asked) = try await onThread {
                (try search.installations(), try search.serving(), try search.serving(majorVersion: 18))
            }
            #expect(found.map(\.majorVersion) == [18, 15, 17, 18])
            #expect(found.map(\.hasVector) == [false, true, true, true])
            #expect(best == found[2])
            #expect(asked == found[3])
        }
    }

    @Test func `never runs a program that others could have changed`() async throws {
        try await ServerPlayground.with { playground in
            let folder = try await Self.place("18.4", vector: true, at: "a", in: playground)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder + "/postgres")
            let search = ServerSearch(folders: [folder])
            #expect(try await onThread { try search.installations() }.isEmpty)
        }
    }

    @Test func `passes over what does not run or says nothing known`() async throws {
        try await ServerPlayground.with { playground in
            try await playground.writeProgram("#!/bin/sh\nexit 3\n", to: "a/bin/postgres")
            try await playground.writeProgram("#!/bin/sh\necho something 18.4\n", to: "b/bin/postgres")
            try playground.write("no program", to: "c/bin/postgres")
            let search = ServerSearch(folders: ["a", "b", "c", "none"].map { "\(playground.root)/\($0)/bin" })
            #expect(try await onThread { try search.installations() }.isEmpty)
        }
    }

    @Test func `says what is there when nothing serves`() async throws {
        try await ServerPlayground.with { playground in
            let folder = try await Self.place("15.18", vector: false, at: "a", in: playground)
            let search = ServerSearch(folders: [folder])
            let error = await #expect(throws: LocalServerError.self) { try await onThread { try search.serving() } }
            #expect(error?.code == .noServer)
            #expect(error?.what.contains("only 15") == true)
        }
    }

    @Test func `finds what set-up unpacked, newest first`() async throws {
        try await ServerPlayground.with { playground in
            for (name, version) in [("pginstall", "16.14"), ("pginstall18", "18.4")] {
                _ = try await Self.place(
                    version,
                    vector: true,
                    at: "\(ServerSearch.wheelFolder)/\(name)",
                    in: playground
                )
            }
            let search = ServerSearch(environment: ["KNOT_CACHE": playground.root])
            #expect(try await onThread { try search.installations() }.prefix(2).map(\.majorVersion) == [18, 16])
        }
    }

    @Test func `looks where set-up unpacks`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let script = try String(contentsOf: root.appending(path: ".ci/setup"), encoding: .utf8)
        let version = try #require(ServerSearch.wheelFolder.split(separator: "/").first?.split(separator: "-").last)
        #expect(script.contains("wheel_version=\(version)\n"))
        #expect(script.contains("$cache/pgserver-$wheel_version"))
        let shared = try #require(UserFolder.caches(of: "knot-recommend", named: "KNOT_CACHE", [:]).last)
        #expect(script.contains("shared=\(shared)\n"))
    }
}
