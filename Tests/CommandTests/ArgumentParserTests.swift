import Arguments
import Composition
import Console
import TestSupport
import Testing

@testable import Verbs
@testable import knot_recommend

@Suite struct `An argument parser` {
    private func failure(_ words: String...) -> CommandError? {
        #expect(throws: CommandError.self) { try ArgumentParser.parse(words, .knot) }
    }

    private func parsed(_ words: String...) throws -> TypedArguments {
        try #require(try ArgumentParser.parse(words, .knot))
    }

    @Test(arguments: [
        (["run", "--sed", "3"], "unknown flag --sed", "did you mean --seed?"),
        (["run", "--fixtrue=x"], "unknown flag --fixtrue", "did you mean --fixture?"),
        (["run", "--zzzzzzzz"], "unknown flag --zzzzzzzz", "see knot-recommend help run"),
        (["run", "-x"], "unknown flag -x", "see knot-recommend help run"),
        (
            ["run", "--format", "dot"], "--format is not a flag of run",
            "it belongs to history, graph, judge, evaluate, impact"
        ),
        (["rnu"], "unknown verb rnu", "did you mean run?"),
        (["run", "--seed"], "--seed has no value", "it needs a whole number from 0 to 18446744073709551615"),
        (["run", "--fixture", "--json"], "--fixture has no value", "it needs the path of a file"),
        (["run", "--fixture="], "--fixture cannot be an empty value", "it needs the path of a file"),
        (["run", "--seed", "-1"], "--seed cannot be \"-1\"", "it needs a whole number from 0 to 18446744073709551615"),
        (["run", "--json=yes"], "--json takes no value", "leave out =yes"),
        (["run", "--seed", "1", "--seed", "2"], "--seed is given more than once", "give it once"),
        (["run", "extra"], "unexpected word extra", "this verb takes only flags"),
        (["replay", "a", "b"], "unexpected word b", "give one"),
        (["help", "vault", "nwe"], "ACTION cannot be \"nwe\"", "did you mean new?"),
        (["help", "run", "all"], "unexpected word all", "give one"),
        (["help", "vault", "new", "more"], "unexpected word more", "give one"),
        (["completions", "bsh"], "SHELL cannot be \"bsh\"", "did you mean bash?"),
        (
            ["run", "--occasion", "birthday"], "--occasion cannot be \"birthday\"",
            "it needs one of just_because, minor_occasion, major_milestone"
        ),
        (
            ["run", "--deadline", "5"], "--deadline cannot be \"5\"",
            "it needs a time with its unit, such as 500ms, 2s or 1m"
        ),
        (
            ["run", "--as-of", "2026-02-30T00:00:00Z"], "--as-of cannot be \"2026-02-30T00:00:00Z\"",
            "it needs an instant, such as 2026-03-01T09:00:00Z"
        ),
        (
            ["run", "--as-user", "service_role"], "--as-user cannot be \"service_role\"",
            "it needs a person's id, which is a UUID"
        ),
        (["refresh", "--reject", "4"], "--reject cannot be \"4\"", "it needs a whole number from 1 to 3"),
    ])
    func `says what is wrong and what would fit`(words: [String], what: String, todo: String) throws {
        let error = try #require(#expect(throws: CommandError.self) { try ArgumentParser.parse(words, .knot) })
        #expect(error.code == .usage)
        #expect(error.what == what)
        #expect(error.todo == todo)
        #expect(error.problems.isEmpty)
    }

    @Test(arguments: ["run", "hint", "feedback"])
    func `takes no request that the database cannot keep`(verb: String) throws {
        let longest = String(repeating: "é", count: 500)
        #expect(try parsed(verb, "--request", longest).text(.request) == longest)
        let error = failure(verb, "--request", longest + "e")
        #expect(error?.code == .usage && error?.todo == "it needs 1 to 500 characters")
    }

    @Test func `reports every problem at once`() throws {
        let error = try #require(failure("run", "--sed", "3", "--threads", "x", "--fixture"))
        #expect(error.code == .usage)
        #expect(
            error.problems.map(\.message) == [
                "unknown flag --sed: did you mean --seed?",
                "--threads cannot be \"x\": it needs a whole number from 1 to 1024",
                "--fixture has no value: it needs the path of a file",
            ]
        )
    }

    @Test func `reads both spellings of a value`() throws {
        #expect(try parsed("run", "--seed", "7").text(.seed) == "7")
        #expect(try parsed("run", "--seed=7").text(.seed) == "7")
        #expect(try parsed("run", "--set", "a.b=c=d").all(.set) == ["a.b=c=d"])
        #expect(try parsed("run", "--set=a.b=c").all(.set) == ["a.b=c"])
    }

    @Test func `keeps repeated values in order where repeating is allowed`() throws {
        #expect(try parsed("run", "--set", "a.b=1", "--set", "a.b=2").all(.set) == ["a.b=1", "a.b=2"])
        #expect(try parsed("judge", "--pipeline", "x", "--pipeline", "y").all(.pipeline) == ["x", "y"])
        #expect(failure("run", "--pipeline", "x", "--pipeline", "y")?.what == "--pipeline is given more than once")
    }

    @Test func `takes flags before the verb and short ones`() throws {
        let arguments = try parsed("--seed", "7", "-v", "run", "--fixture", "run")
        #expect(arguments.verb == .run)
        #expect(arguments.text(.seed) == "7")
        #expect(arguments.has(.verbose))
        #expect(arguments.text(.fixture) == "run")
    }

    @Test func `ends flags at two dashes`() throws {
        #expect(try parsed("replay", "--", "--json").operands == ["--json"])
        #expect(try parsed("replay", "--", "--json").has(.json) == false)
    }

    @Test func `turns help anywhere into the help of the verb`() throws {
        #expect(try parsed("run", "--fixture", "x", "--help") == TypedArguments(verb: .help, operands: ["run"]))
        #expect(try parsed("graph", "-h") == TypedArguments(verb: .help, operands: ["graph"]))
        #expect(try parsed("vault", "-h", "new") == TypedArguments(verb: .help, operands: ["vault", "new"]))
        #expect(try parsed("vault", "nwe", "--help") == TypedArguments(verb: .help, operands: ["vault"]))
        #expect(try parsed("--help").verb == .help)
        #expect(try parsed("--version").verb == .version)
    }

    @Test func `asks for nothing when nothing is typed`() throws {
        #expect(try ArgumentParser.parse([], .knot) == nil)
        #expect(failure("--json")?.code == .usage)
        #expect(failure("--")?.code == .usage)
    }

    @Test func `survives any words`() {
        var generator = SeededRandom(seed: 20_260_301)
        let pieces = ["--", "-", "=", "run", "judge", "--seed", "--set", "-v", "", "\u{0}", "é", "--json=", "9", "--h"]
        for round in 0..<2_000 {
            let words = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                (0..<Int.random(in: 1...2, using: &generator)).map { _ in
                    pieces[Int.random(in: 0..<pieces.count, using: &generator)]
                }.joined()
            }
            do throws(CommandError) {
                _ = try ArgumentParser.parse(words, .knot)
            } catch {
                #expect(error.code == .usage, "seed 20260301, round \(round): \(words)")
            }
        }
    }
}
