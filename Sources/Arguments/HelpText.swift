import Console
package import JSONDocument

/// Help as lines for people, made from the tables of verbs and flags.
package struct HelpText {
    private let table: CommandTable

    package init(_ table: CommandTable) {
        self.table = table
    }

    /// What the program is and its verbs.
    package func overview(width: Int) -> [String] {
        let program = table.program
        let verbs = table.verbs.map { verb in
            "  " + TextLayout.padded(verb.name.rawValue, to: 13) + verb.summary
        }
        return TextLayout.wrapped("\(program.name) \(program.purpose).", to: width)
            + ["", "Usage: \(program.name) VERB [flags]", "", "Verbs"] + verbs
            + ["", "\(program.name) help VERB explains one of them, with --help-all in full.", "", "Begin with"]
            + program.beginnings.map { "  \($0)" }
    }

    /// What one verb does; with `isWhole` also the flags that many verbs share, and the exit codes.
    package func verb(_ verb: VerbDefinition, width: Int, isWhole: Bool = false) -> [String] {
        // Narrower than this the two columns stop being readable, and the terminal breaks the lines better.
        let width = max(width, 60)
        let own = table.counting(in: verb.name).filter { !$0.isOfEveryVerb }
        let shared = table.counting(in: verb.name).filter(\.isOfEveryVerb)
        var lines = TextLayout.wrapped("\(table.place(verb.name)) \(verb.summary).", to: width)
        lines += ["", "Usage"] + hanging(table.usage(of: verb), width)
        lines += [""] + TextLayout.wrapped(verb.description, to: width)
        if !own.isEmpty { lines += ["", "Flags"] + own.flatMap { entry($0, verb.name, width) } }
        if isWhole { lines += ["", "Flags that verbs share"] + shared.flatMap { entry($0, verb.name, width) } }
        lines += ["", "Examples"]
        for example in verb.examples {
            lines += ["  # \(example.purpose)"] + command(example.command, width)
        }
        guard isWhole else {
            let whole = "\(table.program.name) help \(verb.name.rawValue) --help-all"
            let more = "Flags that verbs share, such as --json, and exit codes: \(whole)"
            return lines + [""] + TextLayout.wrapped(more, to: width)
        }
        lines += ["", "Exit codes"]
        lines += verb.allExitCodes.map {
            "  \(TextLayout.padded(String($0.rawValue), to: 5))\(table.program.exitCodeMeaning($0))"
        }
        return lines
    }

    private func hanging(_ text: String, _ width: Int) -> [String] {
        TextLayout.wrapped(text, to: width - 6).enumerated().map { ($0 == 0 ? "  " : "      ") + $1 }
    }

    /// A command that is too long for a line goes on behind a backslash, so that it can still be pasted.
    private func command(_ text: String, _ width: Int) -> [String] {
        let pieces = TextLayout.wrapped(text, to: width - 8)
        return pieces.enumerated().map { index, piece in
            (index == 0 ? "  " : "      ") + piece + (index == pieces.count - 1 ? "" : " \\")
        }
    }

    private func entry(_ flag: Flag, _ verb: VerbName, _ width: Int) -> [String] {
        let column = 26
        let text = TextLayout.wrapped(Self.sentence(flag, verb), to: width - column)
        let head = "  " + (flag.short == nil ? "    " : "") + flag.synopsis(in: verb)
        if DisplayWidth.of(head) > column - 2 {
            return broken(head, width) + text.map { String(repeating: " ", count: column) + $0 }
        }
        return text.enumerated().map { index, line in
            (index == 0 ? TextLayout.padded(head, to: column) : String(repeating: " ", count: column)) + line
        }
    }

    /// A synopsis wider than the page breaks between the words that may be given.
    private func broken(_ head: String, _ width: Int) -> [String] {
        guard DisplayWidth.of(head) > width else { return [head] }
        let spaced = head.replacing("|", with: "| ")
        return TextLayout.wrapped(spaced, to: width - 10).enumerated().map { index, line in
            (index == 0 ? "      " : "          ") + line.replacing("| ", with: "|")
        }
    }

    /// The flag's sentence with what else there is to know.
    package static func sentence(_ flag: Flag, _ verb: VerbName?) -> String {
        var facts: [String] = []
        if let text = flag.usual(in: verb) { facts.append("default: \(text)") }
        if let variable = flag.environment { facts.append("environment: \(variable)") }
        let help = flag.help(in: verb)
        if let verb, flag.isRepeatable(in: verb), !help.contains("may be repeated") {
            facts.append("may be repeated")
        }
        return facts.isEmpty ? help : "\(help) (\(facts.joined(separator: "; ")))"
    }
}

/// A verb's entry for programs.
package struct HelpDocument {
    private let table: CommandTable

    package init(_ table: CommandTable) {
        self.table = table
    }

    package func json(_ verb: VerbDefinition) -> JSONValue {
        [
            "name": .string(verb.name.rawValue), "summary": .string(verb.summary),
            "usage": .string(table.usage(of: verb)),
            "description": .string(verb.description),
            "flags": .array(table.counting(in: verb.name).map { json($0, verb.name) }),
            "examples": JSONValue(verb.examples.map(\.command)),
            "exit_codes": .array(verb.allExitCodes.map { .integer(Int($0.rawValue)) }),
        ]
    }

    private func json(_ flag: Flag, _ verb: VerbName) -> JSONValue {
        [
            "name": .string(flag.name.typed), "value": JSONValue(flag.kind(in: verb).placeholder),
            "default": JSONValue(flag.usual(in: verb)), "environment": JSONValue(flag.environment),
            "help": .string(flag.help(in: verb)),
        ]
    }
}

/// The tables of the README, made from the tables of verbs and flags.
package struct MarkdownTables {
    private let table: CommandTable

    package init(_ table: CommandTable) {
        self.table = table
    }

    package func lines() -> [String] {
        ["### Verbs", ""] + verbs() + ["", "### Flags", ""] + flags() + ["", "### Exit codes", ""] + exitCodes()
    }

    package func verbs() -> [String] {
        ["| verb | does |", "|---|---|"] + table.verbs.map { "| `\($0.name.rawValue)` | \(cell($0.summary)) |" }
    }

    package func flags() -> [String] {
        ["| flag | verbs | means |", "|---|---|---|"]
            + table.flags.map { flag in
                "| `\(cell(flag.synopsis(in: nil)))` | \(scope(flag)) | \(cell(HelpText.sentence(flag, nil))) |"
            }
    }

    package func exitCodes() -> [String] {
        ["| code | means |", "|---|---|"]
            + ExitCode.allCases.map { "| \($0.rawValue) | \(table.program.exitCodeMeaning($0)) |" }
    }

    private func scope(_ flag: Flag) -> String {
        if flag.isOfEveryVerb { return "all" }
        return table.takers(of: flag).map { "`\($0.rawValue)`" }.joined(separator: " ")
    }

    /// A bar would end the cell.
    private func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

/// Manual pages in the language of man(7), made from the tables of verbs and flags.
package struct ManualPage {
    private let table: CommandTable

    package init(_ table: CommandTable) {
        self.table = table
    }

    /// `knot-recommend(1)`: what the program is, its verbs, its variables and its exit codes.
    package func overview() -> [String] {
        let program = table.program
        var lines = head(program.name, program.purpose)
        lines += [".SH SYNOPSIS", ".B \(text(program.name))", ".I VERB", "[flags]", ".SH VERBS"]
        for verb in table.verbs { lines += [".TP", ".B \(text(verb.name.rawValue))", line("\(verb.summary).")] }
        lines += [".SH ENVIRONMENT"]
        for flag in table.flags {
            guard let variable = flag.environment else { continue }
            lines += [".TP", ".B \(variable)", line("The value of \(flag.name.typed), where the flag is not given.")]
        }
        for (name, meaning) in program.variables { lines += [".TP", ".B \(name)", line(meaning)] }
        lines += exitStatus(ExitCode.allCases)
        return lines + [".SH SEE ALSO"]
            + table.verbs.enumerated().map { index, verb in
                ".BR \(text(page(of: verb))) (1)" + (index == table.verbs.count - 1 ? "" : ",")
            }
    }

    /// `knot-recommend-run(1)`: everything about one verb.
    package func verb(_ verb: VerbDefinition) -> [String] {
        var lines = head(page(of: verb), verb.summary)
        lines += [
            ".SH SYNOPSIS", line(table.usage(of: verb)), ".SH DESCRIPTION", line(verb.description), ".SH OPTIONS",
        ]
        for flag in table.counting(in: verb.name) {
            lines += [".TP", ".B \(text(flag.synopsis(in: verb.name)))", line(HelpText.sentence(flag, verb.name))]
        }
        lines += [".SH EXAMPLES"]
        for example in verb.examples {
            lines += [".TP", line("\(example.purpose):"), ".nf", ".B \(text(example.command))", ".fi"]
        }
        lines += exitStatus(verb.allExitCodes)
        return lines + [".SH SEE ALSO", ".BR \(text(table.program.name)) (1)"]
    }

    private func page(of verb: VerbDefinition) -> String { "\(table.program.name)-\(verb.name.rawValue)" }

    private func head(_ name: String, _ summary: String) -> [String] {
        let program = text(table.program.name)
        return [
            ".TH \"\(text(name.uppercased()))\" 1 \"\" \"\(program) \(table.program.version)\" \"\(program)\"",
            ".SH NAME", "\(text(name)) \\- \(text(summary))",
        ]
    }

    private func exitStatus(_ codes: [ExitCode]) -> [String] {
        [".SH EXIT STATUS"] + codes.flatMap { [".TP", ".B \($0.rawValue)", line(table.program.exitCodeMeaning($0))] }
    }

    /// A text on a line of its own, which must not begin as a request does.
    private func line(_ content: String) -> String {
        let escaped = text(content)
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    private func text(_ content: String) -> String {
        content.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\n", with: " ")
    }
}
