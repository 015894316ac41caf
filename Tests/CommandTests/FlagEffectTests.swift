import Arguments
import Composition
import Console
import JSONDocument
import Testing

@testable import AuthorVerbs
@testable import OperatorVerbs
@testable import UserVerbs
@testable import Verbs
@testable import knot_recommend

@Suite struct `A flag without effect` {
    /// One call of every verb and every subject that it can have.
    static let calls: [[String]] = {
        let id = "9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21"
        let subjects: [[String]] = [
            ["run", "--fixture", "f"], ["run", "--vault", id], ["run", "--all"],
            ["refresh", "--from", "r", "--fixture", "f", "--reason", "too_cheap"],
            ["refresh", "--run", id, "--reason", "too_cheap"],
            ["explain", "--fixture", "f"], ["explain", "--record", "r"], ["explain", "--run", id], ["replay", "c"],
            ["impact", "c", "--changed", "classic"],
            ["vault", "new", "--template"], ["vault", "new", "--file", "f"], ["vault", "new"],
            ["vault", "show", "--vault", id], ["hint", "add", "--vault", id], ["history", "--vault", id],
            ["calendar", "--fixture", "f"], ["calendar", "--vault", id], ["plan", "--all"], ["plan", "--vault", id],
            ["learn", "--vault", id], ["learn", "--all"], ["embed", "--vault", id], ["embed", "--all"],
            ["embed", "--catalogue", "c"], ["import", "d"], ["export", "--vault", id], ["forget", "--vault", id],
            ["migrate"], ["migrate", "--status"], ["dev-db", "start"], ["dev-db", "stop"], ["dev-db", "status"],
            ["dev-db", "url"], ["dev-db", "reset"], ["help", "run"], ["completions", "bash"],
        ]
        let rest = VerbName.allCases.map(\.rawValue).filter { name in !subjects.contains { $0[0] == name } }
        return subjects + (rest + ["help"]).map { [$0] }
    }()

    /// A value that fits and is not the usual one: what is so already may well be asked for.
    private static func sample(_ flag: Flag, _ verb: VerbName) -> [String] {
        switch flag.kind(in: verb) {
        case .none: []
        case .integer(let range): range.prefix(2).map(String.init).filter { $0 != flag.usual(in: nil) }.suffix(1)
        case .unsigned: ["3"]
        case .duration: ["2s"]
        case .instant: ["2026-03-01T09:00:00Z"]
        case .day: ["2026-03-02"]
        case .parameter: ["combine.hints=0.7"]
        case .choice(let words): words.suffix(1)
        case .pipeline: ["classic"]
        default: ["9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d22"]
        }
    }

    /// What a call means, without what every verb is given; nil where the verb itself refuses it.
    static func meaning(_ words: [String]) throws -> String? {
        let arguments = try #require(try ArgumentParser.parse(words, .knot))
        let settings = try Settings(arguments, environment: Environment([:]), file: nil, .knot)
        do throws(CommandError) {
            let options: Any? =
                switch arguments.verb {
                case .run: try RunVerbOptions(arguments, settings)
                case .refresh: try RefreshVerbOptions(arguments, settings)
                case .explain: try ExplainVerbOptions(arguments, settings)
                case .replay: try ReplayVerbOptions(arguments, settings)
                case .judge: try JudgeVerbOptions(arguments, settings)
                case .evaluate: try EvaluateVerbOptions(arguments, settings, .knot)
                case .impact: try ImpactVerbOptions(arguments, settings)
                case .vault: try VaultVerbOptions(arguments, settings)
                case .calendar: try CalendarVerbOptions(arguments, settings)
                case .plan, .rehearse: try PlanVerbOptions(arguments, settings)
                case .history: try HistoryVerbOptions(arguments, settings)
                case .graph: try PipelineVerbOptions(arguments, settings)
                case .migrate: MigrateVerbOptions(arguments, settings)
                case .serve: try ServeVerbOptions(arguments)
                case .importVaults: try ImportVerbOptions(arguments, settings)
                default: nil
                }
            return options.map { String(describing: $0) }
        } catch {
            return nil
        }
    }

    @Test func `is refused or named: whatever leaves a call's meaning as it was`() throws {
        var pairs = 0
        for call in Self.calls {
            let verb = try #require(CommandTable.knot.verb(typed: call[0]))
            for flag in CommandTable.knot.flags(of: verb) where !flag.isOfEveryVerb && !call.contains(flag.name.typed) {
                let words = call + [flag.name.typed] + Self.sample(flag, verb)
                let arguments = try #require(try ArgumentParser.parse(words, .knot))
                guard let before = try Self.meaning(call), let after = try Self.meaning(words) else { continue }
                pairs += 1
                guard before == after else { continue }
                let isTold: Bool
                do throws(CommandError) {
                    isTold = try !FlagEffects.check(arguments, .knot).isEmpty
                } catch {
                    #expect(error.code == .usage && error.what.contains(flag.name.typed))
                    isTold = true
                }
                // These are read by the context and by what is printed.
                #expect(isTold || ["allow-weak-tls", "output"].contains(flag.name.rawValue), "\(words)")
            }
        }
        #expect(pairs > 100)
    }

    @Test(arguments: [
        ["run", "--fixture", "f", "--catalogue", "c"], ["run", "--fixture", "f", "--request", "r"],
        ["run", "--fixture", "f", "--concurrency", "2"], ["run", "--vault", "v", "--concurrency", "2"],
        ["run", "--fixture", "f", "--allow-weak-tls"],
        ["refresh", "--from", "r", "--fixture", "f", "--catalogue", "c"],
        ["explain", "--record", "r", "--pipeline", "classic"], ["explain", "--record", "r", "--seed", "3"],
        ["vault", "show", "--file", "f"], ["vault", "new", "--template", "--file", "f"],
        ["vault", "new", "--template", "--as-user", "9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21"],
        ["config", "--set", "nope.nope=1"], ["doctor", "--seed", "1"], ["version", "--seed", "3"],
        ["help", "--pipeline", "classic"], ["migrate", "--set", "combine.hints=1"], ["check", "--seed", "3"],
        ["history", "--strict"], ["dev-db", "start", "--yes"], ["help", "run", "--markdown"],
        ["completions", "bash", "--model", "none"], ["replay", "c", "--model", "none"],
        ["import", "f", "--threads", "2"], ["run", "--all", "--milestone", "m"], ["run", "--all", "--record", "r"],
        ["run", "--fixture", "f", "--as-user", "9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21"],
        ["migrate", "--status", "--to", "3"], ["migrate", "--status", "--dry-run"], ["vault", "new", "--vault", "v"],
        ["vault", "list", "--vault", "v"], ["vault", "list", "--file", "f"], ["vault", "edit", "--limit", "3"],
        ["vault", "show", "--replace"], ["hint", "list", "--text", "t"], ["hint", "add", "--hint", "h"],
        ["hint", "edit", "--as-of", "2026-03-01T09:00:00Z"], ["explain", "--record", "r", "--rates", "x"],
        ["explain", "--run", "id", "--as-of", "2026-01-01T00:00:00Z"], ["history", "--run", "r", "--limit", "3"],
        ["refresh", "--run", "r", "--fixture", "f"], ["jobs", "--job", "j"], ["jobs", "stats", "--state", "dead"],
        ["jobs", "retry", "--job", "j", "--state", "dead"], ["catalogue", "import", "f", "--limit", "3"],
        ["catalogue", "build", "f", "--dry-run"], ["catalogue", "search", "p", "--vectors", "f"],
        ["catalogue", "status", "--threads", "2"], ["catalogue", "import", "f", "--model", "none"],
    ])
    func `is refused by name, before anything is opened`(words: [String]) async {
        let errors = MemorySink()
        let tool = CommandTool(
            environment: Environment([:]),
            output: MemorySink(),
            diagnostics: errors
        )
        #expect(await tool.run(words) == .usage)
        #expect(errors.text.contains("changes nothing about"), "\(errors.text)")
    }

    @Test func `is told of with everything that it is for`() async {
        let errors = MemorySink()
        let tool = CommandTool(environment: Environment([:]), output: MemorySink(), diagnostics: errors)
        #expect(await tool.run(["run", "--all", "--live", "--plan-only"]) == .usage)
        #expect(errors.text.contains("is for run --fixture or run --vault"), "\(errors.text)")
    }

    @Test func `is only named where what it asks for is so already`() async {
        let errors = MemorySink()
        let tool = CommandTool(
            environment: Environment([:]),
            output: MemorySink(),
            diagnostics: errors,
            verbs: [Verb.run.doing { _, _ in .done }]
        )
        #expect(await tool.run(["run", "--fixture", "f", "--dry-run"]) == .done)
        #expect(errors.text == "note: --dry-run changes nothing here: run --fixture stores nothing\n")
    }

    @Test func `is told from one that a setting brings`() async {
        let tool = CommandTool(
            environment: Environment(["KNOT_SEED": "3", "KNOT_MODEL": "none"]),
            output: MemorySink(),
            diagnostics: MemorySink()
        )
        #expect(await tool.run(["config"]) == .done)
    }

    @Test func `every verb takes how its answer looks`() throws {
        for verb in VerbName.allCases {
            for name in [FlagName.json, .quiet, .verbose, .color, .help] {
                #expect(CommandTable.knot.counting(in: verb).contains(Flag.named(name)))
            }
        }
    }
}
