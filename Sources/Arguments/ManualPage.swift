import Console

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
        lines += [".SH SYNOPSIS", ".B \(text(program.name))", ".I VERB", "[ACTION] [options]", ".SH VERBS"]
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

    /// `knot-recommend-run(1)`: everything about one verb, with a section for each action.
    package func verb(_ verb: VerbDefinition) -> [String] {
        let flags = table.counting(in: verb.name)
        let own = flags.filter { !$0.isOfEveryVerb }
        var lines = head(page(of: verb), verb.summary) + [".SH SYNOPSIS"] + usage(of: verb, nil)
        lines += [".SH DESCRIPTION", line("\(verb.summary).")] + paragraphs(verb.description)
        for action in verb.actions {
            lines += [".SH ACTION \(text(action.name.uppercased()))"] + usage(of: verb, action)
            lines += [".PP", line("\(action.summary).")] + paragraphs(action.description)
            lines += options(table.counting(in: verb.name, action).filter { !$0.isOfEveryVerb }, verb, action)
            lines += [".PP", "Examples:"] + examples(action.examples)
        }
        lines += [".SH OPTIONS"] + options((verb.actions.isEmpty ? own : []) + flags.filter(\.isOfEveryVerb), verb, nil)
        if verb.actions.isEmpty { lines += [".SH EXAMPLES"] + examples(verb.examples) }
        lines += exitStatus(verb.allExitCodes)
        return lines + [".SH SEE ALSO", ".BR \(text(table.program.name)) (1)"]
    }

    private func usage(of verb: VerbDefinition, _ action: VerbAction?) -> [String] {
        [".nf"] + table.usage(of: verb, action).map(line) + [".fi"]
    }

    private func paragraphs(_ description: String) -> [String] {
        description.split(separator: "\n").flatMap { [".PP", line(String($0))] }
    }

    private func options(_ flags: [Flag], _ verb: VerbDefinition, _ action: VerbAction?) -> [String] {
        flags.flatMap { flag in
            [".TP", ".B \(text(flag.synopsis(in: verb.name)))", line(table.explanation(flag, verb, action))]
        }
    }

    private func examples(_ examples: [Example]) -> [String] {
        examples.flatMap { example in
            (example.comment.isEmpty ? [".PP"] : [".TP", line("\(example.comment):")])
                + [".nf", ".B \(text(example.command))", ".fi"]
        }
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
