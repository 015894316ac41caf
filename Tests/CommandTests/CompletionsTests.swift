import Arguments
import Composition
import Console
import Foundation
import TestSupport
import Testing

@testable import Verbs
@testable import knot_recommend

@Suite(.onOwnThreads) struct `Completions` {
    @Test(arguments: Shell.allCases)
    func `a script knows every verb and every flag`(shell: Shell) {
        let text = shell.completionScript(.knot).joined(separator: "\n")
        for verb in VerbName.allCases { #expect(text.contains(verb.rawValue)) }
        for flag in Flag.all.map(\.name) {
            #expect(text.contains(shell == .fish ? "-l \(flag.rawValue)" : flag.typed))
        }
        #expect(text.contains("major_milestone"))
    }

    @Test(arguments: [(Shell.zsh, "zsh"), (.fish, "fish")])
    func `a shell that is there accepts its script`(shell: Shell, name: String) throws {
        let folder = try ScratchFolder()
        let path = try folder.write(shell.completionScript(.knot).joined(separator: "\n") + "\n", to: "script")
        let outcome = try BuiltCommand.run("command -v \(name) >/dev/null || exit 0; \(name) -n '\(path)'")
        #expect(outcome == .init(code: 0, output: "", errors: ""))
    }

    /// What bash offers after some words, the last of which is being typed; asked of a real bash.
    private static func offered(
        _ words: [String],
        in folder: ScratchFolder,
        environment: [String: String] = [:]
    ) throws -> [String] {
        let path = try folder.write(Shell.bash.completionScript(.knot).joined(separator: "\n") + "\n", to: ".c.bash")
        let checked = try BuiltCommand.run("bash -n '\(path)'")
        #expect(checked == .init(code: 0, output: "", errors: ""))
        let quoted = (["\"$KNOT\""] + words.map { "'\($0)'" }).joined(separator: " ")
        let script =
            "cd '\(folder.path)'; source '\(path)'; COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count); "
            + "_knot_recommend; printf '%s\\n' \"${COMPREPLY[@]}\""
        return try BuiltCommand.run(script, environment: environment).output.split(separator: "\n").map(String.init)
    }

    @Test func `offer verbs, flags and their words`() throws {
        let folder = try ScratchFolder()
        func offered(_ words: String...) throws -> [String] { try Self.offered(words, in: folder) }
        #expect(try offered("ru") == ["run", "run-due"])
        #expect(try offered("run", "--fix") == ["--fixture"])
        #expect(try offered("run", "--occasion", "maj") == ["major_milestone"])
        #expect(try offered("run", "--occasion", "=", "maj") == ["major_milestone"])
        #expect(
            try offered("run", "--occasion", "=").sorted() == ["just_because", "major_milestone", "minor_occasion"]
        )
        #expect(try offered("completions", "f") == ["fish"])
        #expect(try offered("judge", "--fixtures").sorted() == ["--fixtures"])
        #expect(try offered("graph", "--format", "") == ["mermaid", "dot"])
        #expect(try offered("history", "--format", "") == ["text", "csv"])
        #expect(try offered("--seed", "3", "ru") == ["run", "run-due"])
        #expect(try offered("version", "--see").isEmpty, "what changes nothing is not offered")
        #expect(try offered("vault", "list", "--") != offered("vault", "show", "--"))
        #expect(try offered("vault", "list", "--fi").isEmpty, "a flag of other actions is not offered")
        #expect(try offered("vault", "--fi") == ["--file"])
        #expect(try offered("help", "vault", "n") == ["new"])
    }

    /// The words that help shows for a flag of a verb, where it lists any.
    private static func words(_ flag: Flag, _ verb: VerbName) -> [String] {
        if case .choice(let words) = flag.kind(in: verb) { words } else { [] }
    }

    private static func code(_ words: [String]) -> ExitCode? {
        do throws(CommandError) {
            guard let arguments = try ArgumentParser.parse(words, .knot) else { return nil }
            _ = try FlagEffects.check(arguments, .knot)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `every word that is offered for a flag is taken by the verb, and every other is refused`() throws {
        var pairs = 0
        for call in `A flag without effect`.calls where !call.contains("--template") {
            let verb = try #require(CommandTable.knot.verb(typed: call[0]))
            for flag in CommandTable.knot.counting(in: verb) where !call.contains(flag.name.typed) {
                let offered = Self.words(flag, verb)
                guard !offered.isEmpty, Self.code(call + [flag.name.typed, offered[0]]) == nil else { continue }
                if flag.words[verb] != nil {
                    let usual = try `A flag without effect`.meaning(call + [flag.name.typed, offered[0]])
                    #expect(try `A flag without effect`.meaning(call) == usual, "the first word is the usual one")
                }
                let isMeant = try `A flag without effect`.meaning(call) != nil
                for word in offered {
                    pairs += 1
                    #expect(Self.code(call + [flag.name.typed, word]) == nil, "\(call) \(flag.name) \(word)")
                    let isRefused = try `A flag without effect`.meaning(call + [flag.name.typed, word]) == nil
                    #expect(!isMeant || !isRefused, "\(call) \(flag.name) \(word)")
                }
                let others =
                    VerbName.allCases.flatMap { Self.words(flag, $0) } + ["no-such-word", "", offered[0] + "x"]
                for word in others where !offered.contains(word) {
                    #expect(Self.code(call + [flag.name.typed, word]) == .usage, "\(call) \(flag.name) \(word)")
                }
            }
        }
        #expect(pairs > 100)
    }

    @Test func `every shell offers for a flag what the verb's help lists`() throws {
        let folder = try ScratchFolder()
        let zsh = Shell.zsh.completionScript(.knot).joined(separator: "\n").components(separatedBy: ";;\n")
        let fish = Shell.fish.completionScript(.knot)
        for flag in Flag.all {
            let verbs = VerbName.allCases.filter { CommandTable.knot.counting(in: $0).contains(flag) }
            // Where every verb takes the same words, one of them stands for all.
            for verb in flag.words.isEmpty ? Array(verbs.prefix(1)) : verbs {
                let words = Self.words(flag, verb)
                guard !words.isEmpty else { continue }
                let list = words.joined(separator: " ")
                #expect(try Self.offered([verb.rawValue, flag.name.typed, ""], in: folder) == words)
                let part = try #require(zsh.first { $0.contains("        \(verb.rawValue))\n") })
                #expect(part.contains(":\(flag.name.rawValue):(\(list))'"), "\(verb) \(flag.name)")
                let lines = fish.filter { line in
                    guard line.contains(" -l \(flag.name.rawValue) ") else { return false }
                    let condition = line.components(separatedBy: "'")[1].split { " ;".contains($0) }.map(String.init)
                    return !line.contains("seen_subcommand") || condition.contains(verb.rawValue)
                }
                #expect(lines.count == 1 && lines[0].contains(" -a '\(list)'"), "\(verb) \(flag.name): \(lines)")
                let page = HelpText(.knot).page(Verb.named(verb).definition, width: 200, isWhole: true)
                let help = try #require(page.first { $0.contains("  \(flag.name.typed) ") })
                #expect(words.allSatisfy(help.contains), "\(verb) \(flag.name)")
            }
        }
    }

    @Test func `offer files wherever a file may stand, whatever its name`() throws {
        let folder = try ScratchFolder()
        for name in ["a b.json", "a'c.json", "aé.json"] { _ = try folder.write("", to: name) }
        try FileManager.default.createDirectory(atPath: folder.file("a folder"), withIntermediateDirectories: true)
        for verb in Verb.all {
            guard let operand = verb.operand, operand.kind.isPath("./a") else { continue }
            let found = try Self.offered([verb.name.rawValue, "a"], in: folder)
            #expect(Set(found).isSuperset(of: ["a b.json", "a'c.json", "aé.json"]), "\(verb.name): \(found)")
        }
        for flag in Flag.all where flag.kind.isPath("./a") {
            let verb = try #require(VerbName.allCases.first { CommandTable.knot.takes(flag, $0) })
            let found = Set(try Self.offered([verb.rawValue, flag.name.typed, "a"], in: folder))
            let wanted: Set = flag.kind == .folder ? ["a folder"] : ["a b.json", "a'c.json", "aé.json", "a folder"]
            #expect(found.isSuperset(of: wanted), "\(flag.name.typed): \(found)")
        }
    }

    @Test func `offer the names of parameters, and nothing where there is nothing to ask`() throws {
        let folder = try ScratchFolder()
        let environment = ["KNOT_DEV_DB": folder.file("none")]
        let found = try Self.offered(["run", "--set", "combine.h"], in: folder, environment: environment)
        #expect(found == ["combine.hints="])
        let classic = try Self.offered(
            ["run", "--pipeline", "classic", "--set", ""],
            in: folder,
            environment: environment
        )
        #expect(!classic.isEmpty && classic.allSatisfy { $0.hasSuffix("=") } && classic != found)
        let vaults = try Self.offered(["run", "--vault", ""], in: folder, environment: environment)
        #expect(vaults.isEmpty)
    }

    @Test(.tags(.database), .needs(.eighteen)) func `offer the ids of the vaults there are`() async throws {
        try await withDatabase(.eighteen, .commandStocked) { database in
            let scratch = try ScratchFolder()
            let environment = ["DATABASE_URL": database.url]
            let found = try Self.offered(["run", "--vault", "9aab"], in: scratch, environment: environment)
            #expect(found == [DatabaseCommand.first])
        }
    }

    /// Keys are typed into an interactive bash, and what it runs in the end is read.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "there is no script(1)"))
    func `survive spaces where somebody types`() throws {
        let folder = try ScratchFolder()
        _ = try folder.write("", to: "my vault.json")
        let path = try folder.write(Shell.bash.completionScript(.knot).joined(separator: "\n") + "\n", to: ".c.bash")
        _ = try folder.write(
            "cd '\(folder.path)'; bind 'set bell-style none'; source '\(path)'; knot-recommend() { printf '<%s>\\n' \"$@\" > said; }\n",
            to: ".rc"
        )
        for typed in ["knot-recommend run --fixture my\\t", "knot-recommend import my\\\\ va\\t"] {
            let script =
                "printf '\(typed.replacing("'", with: ""))\\nexit\\n' | "
                + "script -qec 'bash --noprofile --rcfile \(folder.file(".rc")) -i' /dev/null >/dev/null"
            _ = try BuiltCommand.run(script, environment: ["TERM": "xterm", "COLUMNS": "200"])
            let said = try String(contentsOfFile: folder.file("said"), encoding: .utf8)
            #expect(said.hasSuffix("<my vault.json>\n"), "\(said)")
        }
    }
}
