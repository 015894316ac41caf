import Composition
import Foundation
import TestSupport

/// Runs the built command through a shell, so that pipes and redirections are real ones.
enum BuiltCommand {
    struct Outcome: Equatable {
        let code: Int32
        let output: String
        let errors: String
    }

    /// `$KNOT` in the script is the command.
    static func run(_ script: String, environment: [String: String] = [:]) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", script]
        var variables = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
        variables["KNOT"] = Repository.binary?.path
        process.environment = variables.merging(environment) { $1 }
        let output = Pipe()
        let errors = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Errors are a few lines at most, so reading one pipe after the other cannot get stuck.
        let outputBytes = output.fileHandleForReading.readDataToEndOfFile()
        let errorBytes = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let outcome = Outcome(
            code: process.terminationStatus,
            output: String(decoding: outputBytes, as: UTF8.self),
            errors: String(decoding: errorBytes, as: UTF8.self)
        )
        PlantedSecret.expectAbsent(from: outcome.output + outcome.errors, of: "the command's output")
        return outcome
    }
}
