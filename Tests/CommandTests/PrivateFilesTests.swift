import Composition
import Console
import Foundation
import TestSupport
import Testing

@testable import knot_recommend

@Suite(.onOwnThreads) struct `What is written` {
    private static let fixture = Repository.root.appendingPathComponent("fixtures/vaults/dev-01.json").path

    private static func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test(arguments: [0o000, 0o022, 0o077])
    func `is its owner's alone, new or in the place of what was open to others`(mask: Int) throws {
        let folder = try ScratchFolder()
        let files = ["r", "t", "page.html"].map(folder.file)
        for round in 1...2 {
            let script = """
                umask \(String(mask, radix: 8)); \
                "$KNOT" run --fixture '\(Self.fixture)' --record '\(files[0])' --trace '\(files[1])' >/dev/null && \
                "$KNOT" evaluate '\(Self.fixture)' --report '\(files[2])' >/dev/null
                """
            let outcome = try BuiltCommand.run(script, environment: ["KNOT_MODEL": "none"])
            #expect(outcome.code == 0, "\(outcome.errors)")
            for file in files {
                #expect(try Self.mode(file) == 0o600, "round \(round): \(file)")
                try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
            }
        }
    }

    @Test func `lies in folders that nobody else enters`() throws {
        let folder = try ScratchFolder()
        let environment = Environment(["XDG_STATE_HOME": folder.file("state")])
        try FileManager.default.createDirectory(
            atPath: folder.file("state/knot-recommend"),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o777]
        )
        let list = try folder.write("", to: "state/knot-recommend/written.ndjson")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: list)
        try WrittenFiles(environment).note(folder.file("r"), vault: "v")
        #expect(try Self.mode(folder.file("state/knot-recommend")) == 0o700)
        #expect(try Self.mode(list) == 0o600)
        let made = folder.file("new/cache/knot-recommend/embeddings.knot")
        try PrivateFolder.make(for: made)
        for path in ["new", "new/cache", "new/cache/knot-recommend"] {
            #expect(try Self.mode(folder.file(path)) == 0o700)
        }
    }
}
