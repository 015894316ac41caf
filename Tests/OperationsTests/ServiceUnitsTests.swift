import Foundation
import TestSupport
import Testing

@testable import Operations

@Suite("The files for service managers", .onOwnThreads)
struct ServiceUnitsTests {
    private static let analyze = "/usr/bin/systemd-analyze"
    private static var hasAnalyze: Bool { FileManager.default.isExecutableFile(atPath: analyze) }

    /// The units in a folder, with a program that is there.
    private func write() throws -> (folder: ScratchFolder, paths: [String]) {
        let folder = try ScratchFolder()
        let units = try #require(ServiceUnits(program: "/usr/bin/true"))
        let files = units.files.filter { $0.path.hasPrefix("/etc/systemd/system/") }
        let paths = try files.map { file in
            try folder.write(file.text, to: URL(filePath: file.path).lastPathComponent)
        }
        return (folder, paths)
    }

    /// What systemd's own judge says, and its status.
    private func analyze(_ arguments: [String]) throws -> (status: Int32, words: String) {
        let process = Process()
        process.executableURL = URL(filePath: Self.analyze)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        let words = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: words, as: UTF8.self))
    }

    @Test(.enabled("systemd is not there") { Self.hasAnalyze })
    func `are taken by systemd without a word`() throws {
        let (folder, paths) = try write()
        let (status, words) = try analyze(["verify"] + paths)
        // Other units of the machine may have faults of their own, which are told too.
        #expect(status == 0 && !words.contains("knot-recommend"), "\(words)")
        _ = folder
    }

    @Test(.enabled("systemd is not there") { Self.hasAnalyze })
    func `leave their services hardly a right`() throws {
        let (folder, paths) = try write()
        for path in paths where path.hasSuffix(".service") {
            let (status, words) = try analyze(["security", "--offline=true", "--threshold=20", path])
            #expect(status == 0 && words.contains("exposure level"), "\(words)")
        }
        _ = folder
    }

    @Test func `are those that are named, and none holds a secret`() throws {
        let files = try #require(ServiceUnits(program: "/usr/local/bin/knot-recommend")).files
        #expect(files.map(\.name) == ServiceUnits.names)
        for file in files {
            #expect(file.text.hasSuffix("\n") && !file.text.contains("KNOT_WEBHOOK_KEY="))
            #expect(file.text.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(file.name)")
        }
    }

    @Test func `a line of the crontab runs what it says under sh`() throws {
        let folder = try ScratchFolder()
        let program = try folder.write("#!/bin/sh\necho \"$KNOT_CANARY $*\"\n", to: "program")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let environment = try folder.write("KNOT_CANARY=seen\n", to: "environment")
        let crontab = try #require(ServiceUnits(program: program)?.files.last?.text)
        let lines = crontab.split(separator: "\n").filter { $0.contains(" knot ") && !$0.hasPrefix("#") }
        var heard: [String] = []
        for line in lines {
            // Five fields of time and the user, and then the command; a % would mean a line break.
            let words = line.split(separator: " ", maxSplits: 6)
            #expect(words.count == 7 && words[5] == "knot" && !line.contains("%"))
            let command = String(words[6]).replacing("/etc/knot-recommend/environment", with: environment)
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", command]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            heard.append(String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self))
            process.waitUntilExit()
        }
        #expect(heard == ["seen plan --all --quiet\n", "seen work --drain --quiet\n"])
    }

    @Test(arguments: [
        "knot-recommend", "", "/opt/two words/knot", "/opt/100%/knot", "/a\nExecStart=/bin/sh", "/a$b", "/é",
    ])
    func `a program whose path means something else to systemd is none`(program: String) {
        #expect(ServiceUnits(program: program) == nil)
    }
}
