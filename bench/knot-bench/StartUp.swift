import Foundation

/// Start-up to first byte: the built command, from its start until the first byte of a result is on its output.
enum StartUp {
    static func measure(runs: Int) throws -> Sample {
        let binary = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("knot-recommend")
        let clock = ContinuousClock()
        var times: [Double] = []
        for run in 0..<runs + 2 {
            let process = Process()
            let output = Pipe()
            process.executableURL = binary
            process.arguments = ["run", "--fixture", "fixtures/vaults/dev-01.json", "--json"]
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
        return Sample(name: "command.first-byte", size: "run --json of one fixture, whole process", times: times)
    }
}
