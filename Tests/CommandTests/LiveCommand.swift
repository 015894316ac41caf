import Arguments
import Console
import Fixtures
import Foundation
import ProviderSimulator
import TestSupport

@testable import Composition
@testable import knot_recommend

/// Calls of the command that ask the five services, as they are simulated on this machine.
enum LiveCommand {
    static let fixture = Repository.root.appending(path: "fixtures/vaults/dev-01.json").path

    static let words = ["run", "--fixture", fixture, "--live", "--model", "none", "--deadline", "60s"]

    /// By a pipeline that is as the shipped one but for how long a service is waited for: for what is no matter of time,
    /// so that it does not hang on the load of a machine.
    static let patientWords =
        words + ["--pipeline", Repository.root.appending(path: "fixtures/pipelines/patient.json").path]

    struct Outcome {
        let code: ExitCode
        let output: String
        let errors: String
        var all: String { output + errors }
    }

    /// Calls the command with these variables alone, in a home of its own unless one is given.
    static func run(
        _ words: [String],
        _ environment: [String: String],
        home: ScratchFolder? = nil
    ) async throws -> Outcome {
        let (output, errors) = (MemorySink(), MemorySink())
        let state = try home ?? ScratchFolder()
        let own = ["HOME": "/nonexistent", "XDG_STATE_HOME": state.path]
        let tool = CommandTool(
            environment: Environment(environment.merging(own) { given, _ in given }),
            output: output,
            diagnostics: errors,
            verbs: []
        )
        let code = await tool.run(words)
        withExtendedLifetime(state) {}
        return Outcome(code: code, output: output.text, errors: errors.text)
    }

    /// Calls the built command, in a process of its own: for what is a matter of time, which no other test is to use up.
    static func runApart(_ words: [String], _ environment: [String: String]) async throws -> Outcome {
        let state = try ScratchFolder()
        let variables = ["XDG_STATE_HOME": state.path].merging(environment) { $1 }
        let outcome = try await withCheckedThrowingContinuation { continuation in
            // Resumed once, by the thread.
            Thread.detachNewThread {
                let script = "\"$KNOT\" \(words.joined(separator: " "))"
                continuation.resume(with: Result { try BuiltCommand.run(script, environment: variables) })
            }
        }
        withExtendedLifetime(state) {}
        let code = ExitCode(rawValue: outcome.code) ?? .internalFault
        return Outcome(code: code, output: outcome.output, errors: outcome.errors)
    }

    static func simulator(
        servesPages: Bool = false,
        _ fault: @escaping ProviderSimulator.Fault = { _, usual in usual }
    ) throws -> ProviderSimulator {
        try ProviderSimulator(FixtureLoader().load(fixture).fixture, servesPages: servesPages, fault: fault)
    }
}
