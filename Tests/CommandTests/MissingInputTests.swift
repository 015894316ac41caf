import Arguments
import Composition
import Console
import Foundation
import TestSupport
import Testing

@testable import Verbs
@testable import knot_recommend

/// Whatever else is wrong, a file that is not there is what the person can mend at once.
@Suite struct `A missing input` {
    private static let missing = "/nonexistent/input.json"
    private static let id = "9f8c6a52-2f0e-4a3c-9d3f-1c5b7e0a4d21"
    private static let vaults = Repository.root.appendingPathComponent("fixtures/vaults").path

    /// Calls that lack nothing but a model and a database, and those whose own input is the missing one.
    private static let calls: [[String]] = [
        ["run", "--fixture", "\(vaults)/dev-01.json"], ["run", "--vault", id], ["run", "--all"],
        ["refresh", "--run", id, "--reason", "too_cheap"], ["explain", "--fixture", "\(vaults)/dev-01.json"],
        ["explain", "--run", id], ["vault", "new"], ["vault", "edit", "--vault", id], ["embed", "--all"],
        ["embed", "--vault", id], ["check"], ["expand"], ["graph"],
        ["judge", "--fixtures", vaults], ["evaluate", "--fixtures", vaults],
    ]
    private static let whole: [[String]] = [
        ["run", "--fixture", missing],
        [
            "refresh", "--from", missing, "--fixture", "\(vaults)/dev-01.json", "--reason",
            "too_cheap",
        ], ["explain", "--fixture", missing], ["explain", "--record", missing], ["replay", missing],
        ["replay", "--cassette", missing], ["embed", "--catalogue", missing], ["import", missing],
        ["check", missing], ["expand", missing], ["graph", missing], ["evaluate", missing],
        ["completions", "--offer", "parameters", "--pipeline", missing], ["judge", "--fixtures", missing],
        ["evaluate", "--fixtures", missing],
    ]

    private func run(_ words: [String], _ variables: [String: String] = [:]) async -> (code: ExitCode, errors: String) {
        let errors = MemorySink()
        let nowhere = ["DATABASE_URL": "postgresql://nobody@127.0.0.1:1/x", "KNOT_MODEL": "none"]
        let tool = CommandTool(
            environment: Environment(nowhere.merging(variables) { $1 }),
            output: MemorySink(),
            diagnostics: errors
        )
        return (await tool.run(words), errors.text)
    }

    @Test func `is named before a model or a database is looked for, for every flag that names one`() async throws {
        var calls = Self.whole
        for call in Self.calls {
            let verb = try #require(CommandTable.knot.verb(typed: call[0]))
            for flag in CommandTable.knot.flags(of: verb)
            where flag.kind.isPath(Self.missing) && !flag.written.contains(verb) && !call.contains(flag.name.typed) {
                let words = call + (flag.needs.map { [$0.typed] } ?? []) + [flag.name.typed, Self.missing]
                let arguments = try #require(try ArgumentParser.parse(words, .knot))
                guard CommandTable.knot.counts(flag, for: arguments) else { continue }
                // A recording and a fixture of one's own make another call of it.
                guard ![.record, .fixture, .from].contains(flag.name) else { continue }
                calls.append(words)
            }
        }
        #expect(calls.count > 60)
        for words in calls {
            let outcome = await run(words)
            #expect(outcome.code == .notFound && outcome.errors.contains("/nonexistent"), "\(words): \(outcome)")
        }
    }

    @Test func `is named where a setting names it, and only by verbs that read it`() async throws {
        for (variable, words) in [
            ("KNOT_RATES", ["run", "--vault", Self.id]), ("KNOT_READINGS", ["run", "--all"]),
            ("KNOT_CATALOGUE", ["embed", "--all"]), ("KNOT_EXPERIMENT", ["explain", "--run", Self.id]),
            ("KNOT_PIPELINE", ["refresh", "--run", Self.id, "--reason", "too_cheap"]),
        ] {
            let outcome = await run(words, [variable: Self.missing])
            #expect(outcome.code == .notFound && outcome.errors.contains(Self.missing), "\(variable): \(outcome)")
        }
        for variable in ["KNOT_RATES", "KNOT_READINGS", "KNOT_CATALOGUE", "KNOT_EXPERIMENT", "KNOT_PIPELINE"] {
            for words in [["history", "--vault", Self.id], ["vault", "list"], ["export", "--vault", Self.id]] {
                #expect(await run(words, [variable: Self.missing]).code == .unavailable, "\(variable) \(words)")
            }
            #expect(await run(["config"], [variable: Self.missing]).code == .done)
        }
    }

    @Test func `is not what is wrong where the words are`() async {
        let both = ["explain", "--fixture", Self.missing, "--record", Self.missing]
        #expect(await run(both).code == .usage)
        #expect(await run(["run", "--vault", Self.id, "--rates", Self.missing, "--seed", "x"]).code == .usage)
    }

    @Test func `may be a folder where a file is needed`() async throws {
        let folder = try ScratchFolder()
        for flag in ["--rates", "--pipeline", "--experiment", "--catalogue"] {
            let named = flag == "--pipeline" ? folder.path + "/." : folder.path
            let outcome = await run(["run", "--vault", Self.id, flag, named])
            #expect(outcome.code == .notFound, "\(flag): \(outcome)")
        }
    }
}
