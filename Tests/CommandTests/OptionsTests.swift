import Arguments
import Composition
import Console
import KnotDomain
import PipelineInput
import Recommendation
import Testing

@testable import AuthorVerbs
@testable import OperatorVerbs
@testable import UserVerbs
@testable import Verbs
@testable import knot_recommend

@Suite struct `The options of a verb` {
    private func typed(_ words: [String], _ variables: [String: String] = [:]) throws -> (TypedArguments, Settings) {
        let arguments = try #require(try ArgumentParser.parse(words, .knot))
        return (arguments, try Settings(arguments, environment: Environment(variables), file: nil, .knot))
    }

    @Test(arguments: [
        (["run"], ExitCode.usage), (["run", "--fixture", "f", "--vault", "v"], .usage),
        (["run", "--vault", "v", "--all"], .usage),
        (["run", "--fixture", "f", "--milestone", "m", "--occasion", "just_because"], .usage),
    ])
    func `run refuses what makes no sense`(words: [String], code: ExitCode) throws {
        let (arguments, settings) = try typed(words)
        let error = #expect(throws: CommandError.self) { try RunVerbOptions(arguments, settings) }
        #expect(error?.code == code)
    }

    private struct WrongCase: Error {}

    @Test(arguments: [
        (["learn"], ExitCode.usage), (["learn", "--vault", "9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21", "--all"], .usage),
        (["forget"], .usage), (["forget", "--all"], .usage), (["history", "--vault", "mine"], .notFound),
        (["export", "--all"], .usage),
    ])
    func `what is done with a stored vault names it`(words: [String], code: ExitCode) async throws {
        if words.contains("--all"), words.first == "forget" {
            // A flag that would forget everybody does not exist.
            #expect(throws: CommandError.self) { try ArgumentParser.parse(words, .knot) }
            return
        }
        let (arguments, settings) = try typed(words)
        let error = #expect(throws: CommandError.self) { try StoredVaultOptions(arguments, settings) }
        #expect(error?.code == code)
    }

    @Test(arguments: [
        ["dev-db"], ["vault"], ["hint"], ["import"], ["vault", "show"],
    ])
    func `a verb with nothing to do says so`(words: [String]) throws {
        let (arguments, settings) = try typed(words)
        let error = #expect(throws: CommandError.self) {
            switch arguments.verb {
            case .devDatabase: _ = try DevDatabaseVerbOptions(arguments, settings)
            case .vault: _ = try VaultVerbOptions(arguments, settings)
            case .hint: _ = try HintVerbOptions(arguments, settings)
            default: _ = try ImportVerbOptions(arguments, settings)
            }
        }
        #expect(error?.code == .usage)
    }

    @Test func `run means what was typed`() throws {
        let (arguments, settings) = try typed([
            "run", "--fixture", "f.json", "--occasion", "minor_occasion", "--readings", "rules", "--as-of",
            "2026-03-01T09:00:00Z", "--seed", "18446744073709551615", "--deadline", "2s", "--dry-run", "--record", "r",
        ])
        let options = try RunVerbOptions(arguments, settings)
        guard case .fixture(let fixture) = options.subject else { throw WrongCase() }
        #expect(fixture.path == "f.json")
        #expect(fixture.readings == .rules)
        #expect(fixture.asOf == Instant(iso8601: "2026-03-01T09:00:00Z"))
        #expect(options.occasion == .tier(.minorOccasion))
        #expect(options.shared.seed == .max)
        #expect(options.shared.deadline == .seconds(2))
        #expect(options.shared.pipeline == .shipped("choice-of-three"))
        #expect(options.output.isDryRun)
        #expect(options.output.record == "r")
    }

    @Test(arguments: [
        (["refresh", "--fixture", "f", "--reason", "too_cheap"], "--from is missing"),
        (["refresh", "--from", "r", "--reason", "too_cheap"], "--fixture is missing"),
        (["refresh", "--from", "r", "--fixture", "f"], "--reason is missing"),
    ])
    func `refresh says what is missing`(words: [String], what: String) throws {
        let (arguments, settings) = try typed(words)
        let error = #expect(throws: CommandError.self) { try RefreshVerbOptions(arguments, settings) }
        #expect(error?.code == .usage)
        #expect(error?.what == what)
    }

    @Test func `refresh sorts the rejected positions and takes each once`() throws {
        let (arguments, settings) = try typed([
            "refresh", "--from", "r", "--fixture", "f", "--reason", "too_cheap", "--reject", "3", "--reject", "1",
            "--reject", "3",
        ])
        let options = try RefreshVerbOptions(arguments, settings)
        #expect(options.rejected == [1, 3])
        #expect(String(describing: options.reason) == "tooCheap")
    }

    @Test(arguments: [
        (["explain"], ExitCode.usage), (["explain", "--fixture", "f", "--record", "r"], .usage),
    ])
    func `explain wants exactly one run`(words: [String], code: ExitCode) throws {
        let (arguments, settings) = try typed(words)
        let error = #expect(throws: CommandError.self) { try ExplainVerbOptions(arguments, settings) }
        #expect(error?.code == code)
    }

    @Test func `replay takes the recording with and without its flag, but one only`() throws {
        let (first, settings) = try typed(["replay", "c"])
        #expect(try ReplayVerbOptions(first, settings).cassette == "c")
        let (second, _) = try typed(["replay", "--cassette", "c"])
        #expect(try ReplayVerbOptions(second, settings).cassette == "c")
        let (both, _) = try typed(["replay", "c", "--cassette", "d"])
        #expect(throws: CommandError.self) { try ReplayVerbOptions(both, settings) }
        let (neither, _) = try typed(["replay"])
        #expect(throws: CommandError.self) { try ReplayVerbOptions(neither, settings) }
    }

    @Test func `replay heeds only a pipeline that was typed`() throws {
        let (arguments, settings) = try typed(["replay", "c"], ["KNOT_PIPELINE": "classic", "KNOT_SEED": "9"])
        let options = try ReplayVerbOptions(arguments, settings)
        #expect(options.pipeline == nil)
        #expect(options.seed == nil)
        let (typedArguments, typedSettings) = try typed(["replay", "c", "--pipeline", "classic"])
        #expect(try ReplayVerbOptions(typedArguments, typedSettings).pipeline == .shipped("classic"))
    }

    @Test func `a pipeline is named once`() throws {
        let (twice, settings) = try typed(["graph", "classic", "--pipeline", "classic"])
        #expect(throws: CommandError.self) { try PipelineVerbOptions(twice, settings) }
        let (many, _) = try typed(["check", "classic", "x.json"])
        #expect(try PipelineVerbOptions(many, settings).pipelines == [.shipped("classic"), .file("x.json")])
    }

    @Test func `judge measures one row where nothing is said and every pair otherwise`() throws {
        let (nothing, settings) = try typed(["judge"])
        #expect(try JudgeVerbOptions(nothing, settings).pipelines == [.standard])
        #expect(try JudgeVerbOptions(nothing, settings).readings == [.automatic])
        let (pairs, pairSettings) = try typed([
            "judge", "--pipeline", "a", "--pipeline", "b", "--readings", "rules", "--readings", "r",
        ])
        #expect(try JudgeVerbOptions(pairs, pairSettings).pipelines.count == 2)
        #expect(try JudgeVerbOptions(pairs, pairSettings).readings == [.rules, .recorded("r")])
    }
}
