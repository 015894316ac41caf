import Foundation

/// Start-up to first byte: the built command, from its start until the first byte of a result is on its output.
enum StartUp {
    /// By words alone, or with the default embedding model, which is loaded and run before the first byte.
    static func measure(runs: Int, byWords: Bool) throws -> Sample {
        let binary = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("knot-recommend")
        let clock = ContinuousClock()
        var times: [Double] = []
        for run in 0..<runs + 2 {
            let process = Process()
            let output = Pipe()
            process.executableURL = binary
            process.arguments = ["run", "--fixture", "fixtures/vaults/dev-01.json", "--json"]
            if byWords {
                process.environment = ProcessInfo.processInfo.environment.merging(["KNOT_MODEL": "none"]) { $1 }
            }
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            let start = clock.now
            try process.run()
            let first = try output.fileHandleForReading.read(upToCount: 1)
            let elapsed = clock.now - start
            _ = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard first?.count == 1, process.terminationStatus == 0 else { continue }
            if run >= 2 { times.append(elapsed / .milliseconds(1)) }
        }
        let kind = byWords ? "words" : "meaning"
        return Sample(
            name: "command.first-byte.\(kind)",
            size: "run --json of one fixture, whole process",
            times: times
        )
    }
}
