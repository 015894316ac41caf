import Arguments
import Console
import JSONDocument
import TestSupport
import Testing

@testable import Composition
@testable import OperatorVerbs
@testable import UserVerbs
@testable import Verbs
@testable import knot_recommend

@Suite struct `The command as a function` {
    private struct Outcome {
        let code: ExitCode
        let output: String
        let errors: String
    }

    private func run(
        _ words: [String],
        _ verbs: [Verb] = [],
        environment: [String: String] = [:],
        output: MemorySink = MemorySink()
    ) async -> Outcome {
        let errors = MemorySink()
        let tool = CommandTool(
            environment: Environment(environment),
            output: output,
            diagnostics: errors,
            verbs: verbs
        )
        let code = await tool.run(words)
        return Outcome(code: code, output: output.text, errors: errors.text)
    }

    /// `run` as it ends with a result of this outcome.
    private func ending(_ outcome: String) -> [Verb] {
        let report = ChoiceReport(
            result: ["schema": "knot.choice/1", "outcome": .string(outcome), "choices": []],
            explanation: ["because"],
            explanationJSON: ["why": "because"],
            record: [1, 2],
            trace: [3]
        )
        return [
            Verb.run.doing { (arguments, context) async throws(CommandError) in
                let options = try RunVerbOptions(arguments, context.settings)
                return try await ChoiceOutcome.finish(report, options.shared, options.output, context)
            }
        ]
    }

    @Test func `nothing typed is a usage error with the overview on standard error`() async {
        let outcome = await run([])
        #expect(outcome.code == .usage)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("Usage:"))
    }

    @Test func `help and version go to standard output`() async {
        #expect(await run(["help"]).output.contains("Usage:"))
        #expect(await run(["run", "--help"]).output.hasPrefix("Choose three gifts"))
        #expect(await run(["version"]).output == "knot-recommend \(ProgramVersion.number)\n")
        #expect(await run(["help", "--markdown"]).output.contains("\n## run\n"))
        #expect(await run(["--help"]).code == .done)
    }

    @Test func `an error under json is the object on standard output and the line on standard error`() async throws {
        let outcome = await run(["run", "--json", "--sed", "1"])
        #expect(outcome.code == .usage)
        let value = try JSONParser.parse(outcome.output)
        #expect(value["schema"]?.string == "knot.error/1")
        #expect(value["code"]?.string == "usage")
        #expect(outcome.errors.hasPrefix("error: unknown flag --sed, "))
    }

    @Test func `json behind two dashes is a word and no flag`() async {
        let outcome = await run(["version", "--", "--json"])
        #expect(outcome.code == .usage)
        #expect(outcome.output.isEmpty)
    }

    @Test(arguments: [
        ("complete", false, ExitCode.done), ("degraded", false, .done), ("degraded", true, .degradedUnderStrict),
        ("short", false, .short), ("complete", true, .done), ("invented", false, .internalFault),
    ])
    func `the outcome decides the exit code`(outcome: String, isStrict: Bool, code: ExitCode) async {
        let words = ["run", "--fixture", "f", "--json"] + (isStrict ? ["--strict"] : [])
        #expect(await run(words, ending(outcome)).code == code)
    }

    @Test func `run prints the result as it is, with the explanation only where asked`() async throws {
        let plain = await run(["run", "--fixture", "f", "--json"], ending("complete"))
        #expect(try JSONParser.parse(plain.output)["explanation"] == nil)
        #expect(plain.errors.isEmpty)
        let explained = await run(["run", "--fixture", "f", "--json", "--explain"], ending("complete"))
        #expect(try JSONParser.parse(explained.output)["explanation"]?["why"]?.string == "because")
        let card = await run(["run", "--fixture", "f", "--explain"], ending("complete"))
        #expect(card.output.hasSuffix("\nbecause\n"))
    }

    @Test func `writes the recording and the trace even when the reader has left`() async throws {
        let folder = try ScratchFolder()
        let words = ["run", "--fixture", "f", "--record", folder.file("r"), "--trace", folder.file("t")]
        let outcome = await run(words, ending("complete"), output: MemorySink(failure: .readerLeft))
        #expect(outcome.code == .done)
        #expect(outcome.errors.isEmpty)
        #expect(try InputFile.read(folder.file("r")) == [1, 2])
        #expect(try InputFile.read(folder.file("t")) == [3])
    }

    @Test func `a verb's error ends the command with its code`() async {
        let failing = Verb.run.doing { (_, _) async throws(CommandError) in
            throw CommandError(.tryAgain, "out of time", at: "the run", todo: "try again")
        }
        let outcome = await run(["run", "--fixture", "f"], [failing])
        #expect(outcome.code == .tryAgain)
        #expect(outcome.errors == "error: out of time, the run, try again\n")
    }

    @Test func `check prints fine pipelines and throws all problems of broken ones`() async throws {
        let fine = await run(["check", "classic"])
        #expect(fine.code == .done)
        #expect(fine.output.firstMatch(of: /^classic: fine \([0-9a-f]{12}\)\n$/) != nil, "\(fine.output)")
        let folder = try ScratchFolder()
        let path = try folder.write("{\"schema\": \"knot.pipeline/1\", \"nodes\": 1}", to: "broken.json")
        let broken = await run(["check", "classic", path, "--json"])
        #expect(broken.code == .configuration)
        #expect(try #require(try JSONParser.parse(broken.output)["problems"]?.array).count >= 2)
    }

    @Test func `config shows the layer that won`() async throws {
        let outcome = await run(["config", "--seed", "4", "--json"], environment: ["KNOT_THREADS": "2"])
        let rows = try #require(try JSONParser.parse(outcome.output)["settings"]?.array)
        let seed = try #require(rows.first { $0["name"]?.string == "seed" })
        #expect(seed["value"]?.string == "4" && seed["layer"]?.string == "flag" && seed["source"]?.string == "--seed")
        let threads = try #require(rows.first { $0["name"]?.string == "threads" })
        #expect(threads["layer"]?.string == "environment" && threads["source"]?.string == "KNOT_THREADS")
    }

    @Test func `a broken configuration stops a run, but neither help nor doctor`() async throws {
        let folder = try ScratchFolder()
        let path = try folder.write("{\"sed\": 1}", to: "config.json")
        let environment = ["KNOT_CONFIG": path]
        #expect(await run(["config"], environment: environment).code == .configuration)
        #expect(await run(["help"], environment: environment).code == .done)
        let doctor = await run(["doctor"], environment: environment)
        #expect(doctor.code == .unavailable)
        #expect(doctor.output.contains("did you mean seed?"))
    }

    @Test func `doctor finds a machine without zones`() {
        #expect(MachineChecks.timeZones(Environment(["TZDIR": "/nonexistent"])).status == .failure)
    }

    @Test func `completions without a shell are a usage error`() async {
        #expect(await run(["completions"]).code == .usage)
        #expect(await run(["completions", "bash"]).output.contains("complete -F _knot_recommend"))
    }
}
