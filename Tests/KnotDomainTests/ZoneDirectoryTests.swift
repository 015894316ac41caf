import Foundation
import Testing

@testable import KnotDomain

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

    @Test(arguments: [
        ("US/Arizona", "America/Phoenix"), ("America/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("Asia/Calcutta", "Asia/Kolkata"), ("GB", "Europe/London"), ("Europe/Kyiv", "Europe/Uzhgorod"),
        ("Asia/Kashgar", "Asia/Urumqi"), ("America/Montreal", "Canada/Eastern"), ("NZ", "Antarctica/South_Pole"),
    ])
    func `finds a zone where the machine has it under another of its names alone`(asked: String, there: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zones-\(UUID().uuidString)")
        let file = folder.appending(path: there)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
        }
        let system = ZoneDirectory()
        try #require(FileManager.default.contents(atPath: "\(system.path)/\(there)")).write(to: file)
        let rules = try #require(system.rules(named: there))
        #expect(ZoneDirectory(path: folder.path).rules(named: asked) == rules)
    }

    @Test func `gives a zone no name of another one`() throws {
        // Every name of one line has the same clock from 2000 on, wherever both are on this machine.
        let directory = ZoneDirectory()
        var compared = 0
        for name in ["US/Pacific", "Japan", "Iran", "Eire", "Chile/EasterIsland", "Pacific/Samoa", "Asia/Istanbul"] {
            let rules = try #require(directory.rules(named: name))
            for other in ZoneRenames.others(of: name) {
                guard let found = directory.rules(named: other) else { continue }
                compared += 1
                for day in stride(from: 946_684_800, to: 2_000_000_000, by: 86_400 * 13) {
                    let moment = Instant(millisecondsSinceEpoch: Int64(day) * 1_000)
                    let offsets = (found.offsetSeconds(at: moment), rules.offsetSeconds(at: moment))
                    #expect(offsets.0 == offsets.1, "\(name) is not \(other)")
                }
            }
        }
        #expect(compared >= 7)
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
