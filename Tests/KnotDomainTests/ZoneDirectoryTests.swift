import Foundation
import KnotDomain
import Testing

@Suite struct ZoneDirectoryTests {
    @Test(arguments: [
        "", "../../../etc/passwd", "/etc/passwd", "Europe/../../../etc/passwd", "Europe//London", "Europe/London\0",
        "Europe", "Nowhere/Atlantis", "localtime", "posixrules", "right/UTC", "tzdata.zi", "Europe/London ",
        "Ｅurope/London",
    ])
    func `knows no such zone`(name: String) {
        #expect(ZoneDirectory().rules(named: name) == nil)
    }

    @Test func `does not take in a long name`() {
        #expect(ZoneDirectory().rules(named: "E" + String(repeating: "u", count: 1_000_000)) == nil)
    }

    @Test func `has universal time even without any files`() {
        let empty = ZoneDirectory(path: "/nonexistent")
        #expect(empty.rules(named: "Etc/UTC") == .utc)
        #expect(empty.rules(named: "Europe/London") == nil)
        #expect(empty.version == nil)
    }

    @Test func `reads a renamed zone under its other name`() throws {
        let directory = ZoneDirectory()
        let old = try #require(directory.rules(named: "Europe/Kiev"))
        #expect(directory.rules(named: "Europe/Kyiv") == old)
    }

    @Test func `tells a damaged file from a missing one, and finds the version`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zones-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
        }
        try Data("TZif2".utf8).write(to: folder.appending(path: "Broken"))
        try Data("2031z\n".utf8).write(to: folder.appending(path: "+VERSION"))
        let directory = ZoneDirectory(path: folder.path)
        #expect(directory.rules(named: "Broken") == nil)
        #expect(throws: ZoneError.self) { try directory.read("Broken") }
        #expect(directory.version == "2031z")
        try Data("# version 2032a\nR A\n".utf8).write(to: folder.appending(path: "tzdata.zi"))
        #expect(directory.version == "2032a")
    }
}
