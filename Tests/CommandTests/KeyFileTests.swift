import Foundation
import TestSupport
import Testing

@Suite("A file with a key")
struct KeyFileTests {
    @Test(arguments: [("600", false), ("640", false), ("644", true), ("604", true)])
    func `is named where every user of the machine can read it`(mode: String, isNamed: Bool) async throws {
        let folder = try ScratchFolder()
        let path = try folder.write("a-key-of-twenty-letters\n", to: "key")
        let permissions = try #require(Int(mode, radix: 8))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
        for variable in ["KNOT_YELP_KEY_FILE", "KNOT_WEBHOOK_KEY_FILE", "KNOT_SERVE_TOKEN_FILE"] {
            let outcome = try await LiveCommand.run(["providers", "list"], [variable: path])
            let isSaid = outcome.errors.contains("note:") && outcome.errors.contains(variable)
            #expect(isSaid == isNamed, "\(outcome.errors)")
            // Neither what it holds nor a note where nobody wants one.
            #expect(!outcome.all.contains("a-key-of"))
            #expect(try await LiveCommand.run(["providers", "list", "--quiet"], [variable: path]).errors.isEmpty)
            #expect(try await LiveCommand.run(["help"], [variable: path]).errors.isEmpty)
        }
    }
}
